import BookOpen from '@lucide/svelte/icons/book-open';
import FlaskConical from '@lucide/svelte/icons/flask-conical';
import Inbox from '@lucide/svelte/icons/inbox';
import Pin from '@lucide/svelte/icons/pin';
import Radio from '@lucide/svelte/icons/radio';
import Settings from '@lucide/svelte/icons/settings';
import Sparkles from '@lucide/svelte/icons/sparkles';
import TrendingUp from '@lucide/svelte/icons/trending-up';
import Users from '@lucide/svelte/icons/users';
import Waypoints from '@lucide/svelte/icons/waypoints';
import type { Page } from './route.ts';

export const PAGE_ICONS: Readonly<Record<Page, typeof Inbox>> = {
  inbox: Inbox,
  learnings: BookOpen,
  lab: FlaskConical,
  graph: Waypoints,
  slots: Pin,
  sessions: Radio,
  utility: TrendingUp,
  team: Users,
  settings: Settings,
  welcome: Sparkles,
};

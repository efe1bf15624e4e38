import Archive from '@lucide/svelte/icons/archive';
import ArchiveRestore from '@lucide/svelte/icons/archive-restore';
import Bookmark from '@lucide/svelte/icons/bookmark';
import Check from '@lucide/svelte/icons/check';
import CircleX from '@lucide/svelte/icons/circle-x';
import Copy from '@lucide/svelte/icons/copy';
import Download from '@lucide/svelte/icons/download';
import EyeOff from '@lucide/svelte/icons/eye-off';
import FolderInput from '@lucide/svelte/icons/folder-input';
import Keyboard from '@lucide/svelte/icons/keyboard';
import Lock from '@lucide/svelte/icons/lock';
import Merge from '@lucide/svelte/icons/merge';
import Monitor from '@lucide/svelte/icons/monitor';
import Moon from '@lucide/svelte/icons/moon';
import Pause from '@lucide/svelte/icons/pause';
import Pencil from '@lucide/svelte/icons/pencil';
import Pin from '@lucide/svelte/icons/pin';
import Play from '@lucide/svelte/icons/play';
import Plus from '@lucide/svelte/icons/plus';
import Redo from '@lucide/svelte/icons/redo-2';
import Search from '@lucide/svelte/icons/search';
import SquareCheck from '@lucide/svelte/icons/square-check';
import Sun from '@lucide/svelte/icons/sun';
import Tag from '@lucide/svelte/icons/tag';
import Trash from '@lucide/svelte/icons/trash';
import Undo from '@lucide/svelte/icons/undo-2';
import Upload from '@lucide/svelte/icons/upload';
import WandSparkles from '@lucide/svelte/icons/wand-sparkles';
import X from '@lucide/svelte/icons/x';
import ZoomIn from '@lucide/svelte/icons/zoom-in';
import ZoomOut from '@lucide/svelte/icons/zoom-out';
import ChevronRight from '@lucide/svelte/icons/chevron-right';
import { PAGE_ICONS } from './page-icons.ts';
import type { Page } from './route.ts';

/** By a command's id, which means the same on every page. */
const ACTION_ICONS: Readonly<Record<string, typeof Check>> = {
  create: Plus,
  edit: Pencil,
  archive: Archive,
  drop: Archive,
  restore: ArchiveRestore,
  select: SquareCheck,
  selectAll: SquareCheck,
  mark: SquareCheck,
  markAll: SquareCheck,
  clearSelection: X,
  unmark: X,
  clearFilter: X,
  dismiss: X,
  pin: Pin,
  wrong: CircleX,
  copyMarkdown: Copy,
  copyRule: Copy,
  copyPath: Copy,
  copyLink: Copy,
  copyJson: Copy,
  promote: WandSparkles,
  search: Search,
  saveFilter: Bookmark,
  tag: Tag,
  move: FolderInput,
  delete: Trash,
  deleteProject: Trash,
  ignoreProject: EyeOff,
  undo: Undo,
  redo: Redo,
  pauseCapture: Pause,
  resumeCapture: Play,
  help: Keyboard,
  decide: Check,
  keep: Check,
  keepBoth: Check,
  merge: Merge,
  lock: Lock,
  themeSystem: Monitor,
  themeLight: Sun,
  themeDark: Moon,
  zoomIn: ZoomIn,
  zoomOut: ZoomOut,
  export: Upload,
  import: Download,
};

/** The icon of what a command does, else of the page it leads to. */
export const iconOf = (command: string, page: Page | undefined): typeof Check =>
  ACTION_ICONS[command.slice(command.indexOf('.') + 1)] ?? (page ? PAGE_ICONS[page] : ChevronRight);

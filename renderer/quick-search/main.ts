import '../ui/base.css';
import { mount } from 'svelte';
import { connectDaemon } from '../daemon.ts';
import { Queries } from '../query/queries.svelte.ts';
import { Theme } from '../ui/theme.svelte.ts';
import QuickSearch from './QuickSearch.svelte';
import { QuickSearchState, SCOPE } from './quick-search.svelte.ts';

const theme = new Theme();
theme.apply();
theme.follow();

const root = document.getElementById('root');
if (!root) throw new Error('quick-search.html has no element with the id root');
const daemon = connectDaemon();
const queries = new Queries(daemon.call);
daemon.onEvent((event) => queries.onEvent(event));
// In a hidden window nothing is kept fresh.
const follow = () => queries.show(...(document.hidden ? [] : [SCOPE]));
document.addEventListener('visibilitychange', follow);
follow();
mount(QuickSearch, { target: root, props: { daemon, search: new QuickSearchState(queries) } });

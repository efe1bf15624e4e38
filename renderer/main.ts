import './ui/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { connectDaemon } from './daemon.ts';
import { Theme } from './ui/theme.svelte.ts';

const theme = new Theme();
theme.apply();
theme.follow();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');
mount(App, { target: root, props: { daemon: connectDaemon(), theme } });

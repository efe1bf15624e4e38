import { number, text } from '../ports/knob.ts';

export const WATCH_KNOBS = {
  folders: text(
    'REFLECT_TRANSCRIPT_FOLDERS',
    '',
    'More folders with transcripts, as agent=folder or folder, separated like the folders of PATH',
  ),
  ignore: text(
    'REFLECT_IGNORE',
    '',
    'Folders (~/private, **/scratch), projects (project:<id>) and agents (agent:cursor) to ignore, separated by commas',
  ),
  pollSeconds: number('REFLECT_POLL_SECONDS', {
    default: 0,
    min: 0,
    max: 3_600,
    doc: 'Seconds between checks for changed transcripts, for drives that do not report changes; 0 relies on the system',
  }),
};

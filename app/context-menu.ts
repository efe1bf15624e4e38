import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import { openableAddress } from './openable-address.ts';

type Clicked = Pick<ContextMenuParams, 'editFlags' | 'isEditable' | 'linkURL' | 'selectionText'>;

interface LinkActions {
  open(address: string): void;
  copy(address: string): void;
}

/** The menu for what was clicked; empty where there is nothing to do. */
export function contextMenu(
  { editFlags, isEditable, linkURL, selectionText }: Clicked,
  links: LinkActions,
): MenuItemConstructorOptions[] {
  const address = openableAddress(linkURL);
  const ofLink: MenuItemConstructorOptions[] =
    address === undefined
      ? []
      : [
          { label: 'Open link', click: () => links.open(address) },
          { label: 'Copy link', click: () => links.copy(address) },
        ];
  const ofText: MenuItemConstructorOptions[] = isEditable
    ? [
        { role: 'undo', enabled: editFlags.canUndo },
        { role: 'redo', enabled: editFlags.canRedo },
        { type: 'separator' },
        { role: 'cut', enabled: editFlags.canCut },
        { role: 'copy', enabled: editFlags.canCopy },
        { role: 'paste', enabled: editFlags.canPaste },
        { role: 'selectAll', enabled: editFlags.canSelectAll },
      ]
    : selectionText.trim() === ''
      ? []
      : [{ role: 'copy' }];
  const separator: MenuItemConstructorOptions[] =
    ofLink.length > 0 && ofText.length > 0 ? [{ type: 'separator' }] : [];
  return [...ofLink, ...separator, ...ofText];
}

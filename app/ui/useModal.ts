import { useCallback, useRef, type RefCallback } from 'react';

/**
 * For a `<dialog>` that is modal as long as it is on the page. Only showModal() traps the focus and dims the rest. It is closed before it is taken off the
 * page: then the browser gives the focus back to where it was. `onShown` says where the focus begins.
 */
export function useModal(onShown: (dialog: HTMLDialogElement) => void): RefCallback<HTMLDialogElement> {
  const shown = useRef<HTMLDialogElement | null>(null);
  const begin = useRef(onShown);
  return useCallback((dialog: HTMLDialogElement | null) => {
    shown.current?.close();
    shown.current = dialog;
    if (!dialog) return;
    // Written open by the server, for browsers without JavaScript.
    dialog.removeAttribute('open');
    dialog.showModal();
    begin.current(dialog);
  }, []);
}

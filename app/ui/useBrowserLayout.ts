import { useLayoutEffect } from 'react';

/** A layout effect in the browser, and nothing on the server, where layout effects do not run and say so. */
export const useBrowserLayout: typeof useLayoutEffect = typeof document === 'undefined' ? () => {} : useLayoutEffect;

import { useEffect } from 'react';
import type { Apariencia } from '~/core/aspecto';

const DARK = '(prefers-color-scheme: dark)';

/** The script in the head of a page that follows the system's scheme; it runs before anything is drawn and waits for no file. */
export const FOLLOW_SYSTEM = `if(matchMedia('${DARK}').matches)document.documentElement.dataset.mantineColorScheme='dark'`;

/** Returns the scheme that the server writes. The server cannot know the system's scheme; without JavaScript that is the light one. */
export const esquemaOf = (apariencia: Apariencia) => (apariencia === 'oscuro' ? 'dark' : 'light');

/** Keeps the page in the chosen scheme, and follows the system where that is the choice. */
export function useEsquema(apariencia: Apariencia) {
  useEffect(() => {
    const system = matchMedia(DARK);
    const apply = () => {
      const dark = apariencia === 'oscuro' || (apariencia === 'sistema' && system.matches);
      document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
    };
    apply();
    if (apariencia !== 'sistema') return;
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [apariencia]);
}

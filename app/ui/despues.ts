import { keepPageAtLinks } from './enlaces';
import { startVitales } from './vitales';

/** Starts what a page needs after it works: the care of its links without a network, and the measures of what it is for its person. */
export function startLater(): void {
  keepPageAtLinks();
  // A browser that a program drives is nobody's experience.
  if (!navigator.webdriver) startVitales();
}

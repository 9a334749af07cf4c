import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent, an ink blue, leaves green, amber and red their meaning. `tokens.css` has its shades and all other colours. */
const tinta = Array.from({ length: 10 }, (_, shade) => `var(--tinta-${shade})`) as unknown as MantineColorsTuple;

export const theme = createTheme({
  primaryColor: 'tinta',
  primaryShade: { light: 6, dark: 5 },
  colors: { tinta },
  defaultRadius: 6,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.35' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  focusRing: 'auto',
});

import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent: an ink blue that keeps green, amber and red free to mean something. Its sixth shade is the one in use (Mantine's default). */
const tinta: MantineColorsTuple = [
  '#eef3fb',
  '#dbe5f5',
  '#b6c9ea',
  '#8eabdf',
  '#6c91d5',
  '#4072c4',
  '#2f5fad',
  '#264f94',
  '#1b3d77',
  '#142d59',
];

export const theme = createTheme({
  primaryColor: 'tinta',
  colors: { tinta },
  defaultRadius: 4,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
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

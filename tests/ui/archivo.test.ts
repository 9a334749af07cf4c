import { expect, test } from 'vitest';
import { filesUnder, readProjectFile } from '../support/sources';

test('there is one field for files, which speaks our words', () => {
  const own = filesUnder('app').filter(
    (path) => path.endsWith('.tsx') && readProjectFile(path).includes('type="file"'),
  );
  expect(own).toEqual(['app/ui/ArchivoInput.tsx']);
});

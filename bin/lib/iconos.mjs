import { readFileSync, writeFileSync } from 'node:fs';
import { at } from './project.mjs';

const NAMES = 'app/core/iconos.json';
/** Path of the sprite. */
export const SPRITE = 'app/ui/iconos.svg';

/**
 * `npm run iconos`: writes the sprite of the interface from lucide's drawings, under the names of app/core/iconos.json.
 */
export async function writeSprite() {
  writeFileSync(at(SPRITE), await spriteOf(JSON.parse(readFileSync(at(NAMES), 'utf8'))));
}

/** Returns an SVG with a symbol per icon. Stroke and width belong to the style sheet of the page. */
export async function spriteOf(names) {
  const symbols = await Promise.all(
    Object.entries(names)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, drawing]) => {
        const { __iconData } = await import(`lucide-react/icons/${drawing}`);
        return `<symbol id="${name}" viewBox="0 0 24 24">${__iconData.node.map(elementOf).join('')}</symbol>`;
      }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`;
}

function elementOf([tag, { key: _key, ...attributes }]) {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${written.join('')}/>`;
}

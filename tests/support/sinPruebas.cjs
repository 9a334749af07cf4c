const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** Below this share of its lines a file counts as one that no test is about. */
const POCO = 40;

/**
 * A reporter of coverage (`vitest.config.ts`): lists the files that no test reaches, or hardly any, in coverage/sin-pruebas.txt, the least reached first, and says
 * at the end of the run how many there are. In CommonJS, as istanbul loads its reporters.
 */
module.exports = class SinPruebas {
  execute(context) {
    const files = [];
    const onDetail = (node) => {
      const { pct, covered, total } = node.getCoverageSummary().lines;
      if (total > 0 && pct < POCO) files.push({ path: node.getQualifiedName(), pct, covered, total });
    };
    context.getTree('flat').visit({ onDetail });
    files.sort((a, b) => a.pct - b.pct || b.total - a.total || a.path.localeCompare(b.path));
    const list = join(context.dir, 'sin-pruebas.txt');
    const lines = files.map(
      ({ path, pct, covered, total }) => `${pct.toFixed(0).padStart(3)} %  ${covered}/${total}  ${path}`,
    );
    writeFileSync(list, lines.map((line) => `${line}\n`).join(''));
    const never = files.filter(({ covered }) => covered === 0).length;
    console.log(
      `${never} archivos que ninguna prueba alcanza y ${files.length - never} de los que alcanza menos de ${POCO} %: ${list}`,
    );
  }
};

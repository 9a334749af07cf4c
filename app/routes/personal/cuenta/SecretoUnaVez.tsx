import { Panel } from '~/ui/Blocks';
import { Copiar } from '~/ui/Copiar';

/** A secret that was just made. No page shows it again, so it is there to copy. `copia` agrees with the title. */
export function SecretoUnaVez({
  titulo,
  copia = 'Cópialo',
  secreto,
}: {
  titulo: string;
  copia?: 'Cópialo' | 'Cópiala';
  secreto: string;
}) {
  return (
    <Panel tono="ok" titulo={titulo}>
      <p>{copia} ahora: no se vuelve a mostrar.</p>
      <p className="secreto">
        <code>{secreto}</code> <Copiar texto={secreto} />
      </p>
    </Panel>
  );
}

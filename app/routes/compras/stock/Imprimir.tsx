import { NativeSelect } from '@mantine/core';
import { Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { PAPEL_LABEL, PAPELES } from '~/domain/compras/stock/pieza';
import { Boton } from '~/ui/Boton';
import { Dialog } from '~/ui/Dialog';
import { Hidden } from '~/ui/useAnswer';

/** The field of the address that opens the dialog: a piece, or after the kind (`DE`) the pieces of one press. */
export const IMPRIMIR = 'imprimir';

/** 'IMPRIMIR': prints the label of a piece, the labels of one press, or a run of blank labels. */
export function Imprimir({ que, nombre }: { que: string; nombre: string }) {
  const { search } = useLocation();
  return (
    <Link
      className="boton"
      to={withParams(search, { [IMPRIMIR]: que, menu: null })}
      aria-label={`Imprimir el código QR de ${nombre}`}
      preventScrollReset
    >
      IMPRIMIR
    </Link>
  );
}

/** The dialog that chooses the paper; mounted once per page. */
export function ImprimirDialog({ area }: { area: string }) {
  const { search } = useLocation();
  const que = new URLSearchParams(search).get(IMPRIMIR);
  if (!que) return null;
  const cerrar = withParams(search, { [IMPRIMIR]: null });
  return (
    <Dialog titulo="Código QR" cerrar={cerrar}>
      <p>¿Desea descargar el codigo QR?</p>
      <form method="get" action={`${area}/descargas/etiquetas`} className="apilado">
        <Hidden {...cualesOf(que)} />
        <ElegirPapel />
        <div className="botones">
          <Link className="boton" to={cerrar} preventScrollReset>
            Cancelar
          </Link>
          <Boton tono="acento" type="submit">
            ACEPTAR
          </Boton>
        </div>
      </form>
    </Dialog>
  );
}

const DE = ['alta', 'tirada'];
function cualesOf(que: string): Record<string, string> {
  const de = DE.find((one) => que.startsWith(`${one}:`));
  return de ? { [de]: que.slice(de.length + 1) } : { pieza: que };
}

const ElegirPapel = () => (
  <NativeSelect
    name="papel"
    label="Papel"
    data={PAPELES.map((papel) => ({ value: papel, label: PAPEL_LABEL[papel] }))}
  />
);

/** The button that prints the labels of the chosen rows. */
export function EtiquetasForm({ area, lote }: { area: string; lote: string }) {
  return (
    <form method="get" action={`${area}/descargas/etiquetas`} className="rango">
      <Hidden lote={lote} />
      <ElegirPapel />
      <Boton tono="acento" type="submit">
        IMPRIMIR
      </Boton>
    </form>
  );
}

import { NativeSelect } from '@mantine/core';
import { Link, useLocation, useNavigate, useRouteLoaderData } from '@remix-run/react';
import type { FormEvent, ReactNode } from 'react';
import type { Preferencias } from '~/core/aspecto';
import { FORMATOS_DE_ETIQUETA } from '~/core/formatoDeEtiqueta';
import { withParams } from '~/core/list';
import { PAPEL_LABEL, PAPELES } from '~/domain/compras/stock/pieza';
import { Boton } from '~/ui/Boton';
import { Dialog } from '~/ui/Dialog';
import { printPdf } from '~/ui/printPdf';
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
  const navigate = useNavigate();
  const que = new URLSearchParams(search).get(IMPRIMIR);
  if (!que) return null;
  const cerrar = withParams(search, { [IMPRIMIR]: null });
  return (
    <Dialog titulo="Código QR" cerrar={cerrar}>
      <p>¿Desea descargar el codigo QR?</p>
      <EtiquetasDe
        area={area}
        cuales={cualesOf(que)}
        className="apilado"
        impresas={() => navigate(cerrar, { preventScrollReset: true })}
      >
        <div className="botones">
          <Link className="boton" to={cerrar} preventScrollReset>
            Cancelar
          </Link>
          <Boton tono="acento" type="submit">
            ACEPTAR
          </Boton>
        </div>
      </EtiquetasDe>
    </Dialog>
  );
}

const DE = ['alta', 'tirada'];
function cualesOf(que: string): Record<string, string> {
  const de = DE.find((one) => que.startsWith(`${one}:`));
  return de ? { [de]: que.slice(de.length + 1) } : { pieza: que };
}

type DeProps = {
  area: string;
  cuales: Record<string, string>;
  className: string;
  impresas?: () => void;
  children: ReactNode;
};

/**
 * The form that prints labels on a chosen paper. The PDF is printed from a hidden frame of the page, which saves a ZPL as a file, and `impresas` is called once
 * the labels were asked for. Without scripts the PDF opens in a tab of its own. ZPL is for rolls: on a sheet the labels are a PDF.
 */
export function EtiquetasDe({ area, cuales, className, impresas, children }: DeProps) {
  const propio = useRouteLoaderData<() => { preferencias: Preferencias }>(area.slice(1))?.preferencias.etiquetas;
  const action = `${area}/descargas/etiquetas`;
  const imprimir = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const campos = new FormData(event.currentTarget) as unknown as Iterable<[string, string]>;
    printPdf(`${action}?${new URLSearchParams([...campos])}`, 'Etiquetas');
    impresas?.();
  };
  return (
    <form method="get" action={action} target="_blank" className={className} onSubmit={imprimir}>
      <Hidden {...cuales} ver="1" />
      <NativeSelect
        name="papel"
        label="Papel"
        data={PAPELES.map((papel) => ({ value: papel, label: PAPEL_LABEL[papel] }))}
      />
      <NativeSelect
        name="formato"
        label="Formato"
        defaultValue={propio}
        data={FORMATOS_DE_ETIQUETA.map((value) => ({ value, label: value.toUpperCase() }))}
      />
      {children}
    </form>
  );
}

/** The button that prints the labels of the chosen rows. */
export const EtiquetasForm = ({ area, lote }: { area: string; lote: string }) => (
  <EtiquetasDe area={area} cuales={{ lote }} className="rango">
    <Boton tono="acento" type="submit">
      IMPRIMIR
    </Boton>
  </EtiquetasDe>
);

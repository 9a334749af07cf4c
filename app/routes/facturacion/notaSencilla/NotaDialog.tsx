import { Form, Link } from '@remix-run/react';
import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import type { Wire } from '~/core/list';
import type { Money } from '~/core/money';
import type { NotaWhole } from '~/domain/notaSencilla/listNotas.server';
import { EmptyState } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Dialog } from '~/ui/Dialog';
import { Fecha } from '~/ui/Fecha';
import { formatPesos } from '~/ui/Pesos';
import { Hidden } from '~/ui/useAnswer';
import { TablaArticulos } from '~/routes/parts/articulos/TablaArticulos';

type Nota = Record<'folio' | 'nombre' | 'apellidos' | 'email', string> & { total: Money | string };

export const reenviarNota = ({ folio, nombre, apellidos, email, total }: Nota): Question => ({
  titulo: 'Reenviar correo',
  texto: '¿Está seguro que desea enviar el correo?',
  hechos: `${enLinea(folio, `${nombre} ${apellidos}`.trim(), formatPesos(total))}. Se envía a ${email || 'nadie: no tiene correo'}.`,
});

/** A note whole: to whom, what it charges, its PDF. */
export function NotaDialog({
  nota,
  cerrar,
  area,
}: {
  nota: Wire<NotaWhole> | undefined;
  cerrar: string;
  area: string;
}) {
  if (!nota)
    return (
      <Dialog titulo="Nota sencilla" cerrar={cerrar}>
        <EmptyState />
      </Dialog>
    );
  const dato = (etiqueta: string, valor: string, ancha = false) => (
    <div className={ancha ? 'ancha' : undefined}>
      <dt>{etiqueta}</dt>
      <dd>{valor || '—'}</dd>
    </div>
  );
  return (
    <Dialog titulo={`Nota ${nota.folio}`} cerrar={cerrar} ancho="grande">
      <dl className="ficha">
        <div>
          <dt>Fecha</dt>
          <dd>
            <Fecha valor={nota.fecha} />
          </dd>
        </div>
        <div>
          <dt>Creada</dt>
          <dd>
            <Fecha valor={nota.creadaEn} />
          </dd>
        </div>
        {dato('La hizo', nota.quien)}
      </dl>
      <h3>Información de Contacto</h3>
      <dl className="ficha">
        {dato('Nombre', `${nota.nombre} ${nota.apellidos}`, true)}
        {dato('Télefono', nota.telefono)}
        {dato('Email', nota.email, true)}
      </dl>
      <h3>Dirección</h3>
      <dl className="ficha">
        {dato('CP', nota.cp)}
        {dato('Colonia', nota.colonia)}
        {dato('Calle', nota.calle)}
        {dato('Número ext.', nota.numeroExterior)}
        {dato('Número int.', nota.numeroInterior)}
        {dato('Ciudad', nota.ciudad)}
        {dato('Municipio', nota.municipio)}
        {dato('Estado', nota.estado)}
      </dl>
      <h3>Artículos</h3>
      <TablaArticulos
        articulos={nota.articulos}
        totales={{ subTotal: nota.subtotal, iva: nota.iva, total: nota.total }}
      />
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cerrar
        </Link>
        <Form method="post" preventScrollReset>
          <Hidden intent="reenviar" nota={nota.id} />
          <Confirm plain="boton" {...reenviarNota(nota)}>
            Reenviar correo
          </Confirm>
        </Form>
        <a className="boton" data-tono="acento" href={`${area}/descargas/nota/${nota.id}`} download>
          Descargar PDF
        </a>
      </div>
    </Dialog>
  );
}

import { Link } from '@remix-run/react';
import type { Wire } from '~/core/list';
import { PUBLICO_GENERAL_FIJO } from '~/domain/cfdi/nombreFiscal';
import { etiquetaEn } from '~/domain/catalogo/opciones';
import type { Clave } from '~/domain/catalogo/sat';
import type { ClienteFiscalWhole } from '~/domain/receptores/datosFiscales.server';
import { Panel } from '~/ui/Blocks';
import { Dialog } from '~/ui/Dialog';
import { Fecha } from '~/ui/Fecha';

export const nombreDe = ({
  nombre,
  apellidos,
  razonSocial,
}: Pick<Wire<ClienteFiscalWhole>, 'nombre' | 'apellidos' | 'razonSocial'>) =>
  [nombre, apellidos].filter(Boolean).join(' ') || razonSocial;

type Props = { cliente: Wire<ClienteFiscalWhole>; regimenes: Clave[]; usos: Clave[]; cerrar: string; editar: string };

/** A record whole, read-only, over the full width. */
export function ClienteDialog({ cliente, regimenes, usos, cerrar, editar }: Props) {
  const [email, email2, email3] = cliente.emails;
  return (
    <Dialog titulo={nombreDe(cliente)} cerrar={cerrar} ancho="lleno">
      {cliente.guardando && (
        <Panel tono="aviso" titulo="Guardando">
          Una corrección de estos datos espera la respuesta de factura.com. <Link to="">Actualizar</Link>
        </Panel>
      )}
      <dl className="ficha">
        <Dato etiqueta="RFC" valor={cliente.rfc} />
        <Dato etiqueta="Razón Social" valor={cliente.razonSocial} ancha />
        <Dato etiqueta="Régimen fiscal" valor={etiquetaEn(regimenes, cliente.regimen)} ancha />
        <Dato etiqueta="Uso de CFDI" valor={cliente.usoCfdi && etiquetaEn(usos, cliente.usoCfdi)} ancha />
        <div>
          <dt>Fecha de creación</dt>
          <dd>
            <Fecha valor={cliente.fechaCreacion} />
          </dd>
        </div>
        <div>
          <dt>Última modificación</dt>
          <dd>
            <Fecha valor={cliente.actualizadoEn} />
          </dd>
        </div>
        <Dato etiqueta="UID en factura.com" valor={cliente.uid} />
      </dl>
      <h3>Dirección</h3>
      <dl className="ficha">
        <Dato etiqueta="CP" valor={cliente.cp} />
        <Dato etiqueta="Colonia" valor={cliente.colonia} />
        <Dato etiqueta="Ciudad" valor={cliente.ciudad} />
        <Dato etiqueta="Estado" valor={cliente.estado} />
        <Dato etiqueta="Calle" valor={cliente.calle} />
        <Dato etiqueta="Numero ext." valor={cliente.numeroExterior} />
        <Dato etiqueta="Numero int." valor={cliente.numeroInterior} />
        <Dato etiqueta="Delegacion" valor={cliente.delegacion} />
      </dl>
      <h3>Información de Contacto</h3>
      <dl className="ficha">
        <Dato etiqueta="Nombre" valor={cliente.nombre} />
        <Dato etiqueta="Apellidos" valor={cliente.apellidos} />
        <Dato etiqueta="Telefono" valor={cliente.telefono} />
        <Dato etiqueta="Email" valor={email} ancha />
        <Dato etiqueta="Email2" valor={email2} ancha />
        {email3 && <Dato etiqueta="Email3" valor={email3} ancha />}
      </dl>
      {cliente.fijo && <p className="nota">{PUBLICO_GENERAL_FIJO}</p>}
      <div className="botones">
        <Link className="boton" to={cerrar} preventScrollReset>
          Cerrar
        </Link>
        {!cliente.guardando && !cliente.fijo && (
          <Link className="boton" data-tono="acento" to={editar} preventScrollReset>
            Editar
          </Link>
        )}
      </div>
    </Dialog>
  );
}

function Dato({ etiqueta, valor, ancha }: { etiqueta: string; valor: string | null | undefined; ancha?: true }) {
  return (
    <div className={ancha && 'ancha'}>
      <dt>{etiqueta}</dt>
      <dd>{valor || '—'}</dd>
    </div>
  );
}

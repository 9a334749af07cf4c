import { Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { withParams } from '~/core/list';
import { PUBLICO_GENERAL_FIJO } from '~/domain/facturacion/cfdi/nombreFiscal';
import { etiquetaEn } from '~/domain/facturacion/sat/opciones';
import { Panel } from '~/ui/Blocks';
import { Copiar } from '~/ui/Copiar';
import { Fecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Telefono } from '~/ui/Telefono';
import type { clienteOf } from './abierta';
import { ClienteForm } from './ClienteForm';
import { PorVentaFicha } from './PorVentaFicha';

export type ClienteAbierto = NonNullable<Awaited<ReturnType<typeof clienteOf>>>;

/** Tax data whole: of a customer, which staff corrects, or of one sale, which is nobody's to correct. */
export function ClienteFicha({ ficha, area, cambio }: DentroProps<ClienteAbierto>) {
  const { cliente, porVenta, editar, regimenes, usos, sinCargar, fijos } = ficha;
  const { search } = useLocation();
  if (porVenta) return <PorVentaFicha cliente={porVenta} regimenes={regimenes} area={area} />;
  if (!cliente) return null;
  const [email, email2, email3] = cliente.emails;
  const corregible = !editar && !cliente.guardando && !cliente.fijo;
  return (
    <Ficha
      que="Cliente"
      numero={cliente.rfc}
      estado={<span>{cliente.razonSocial}</span>}
      principal={
        corregible && (
          <Link
            className="boton"
            data-tono="acento"
            data-editar=""
            to={withParams(search, { editar: '1' })}
            preventScrollReset
          >
            Editar
          </Link>
        )
      }
    >
      {cambio && <Cambio editando={editar} quien={null} />}
      {editar ? (
        <ClienteForm
          key={`${cliente.id}-${cliente.version}`}
          cliente={cliente}
          avisos={sinCargar}
          fijos={fijos}
          cerrar={withParams(search, { editar: null })}
        />
      ) : (
        <>
          {cliente.guardando && (
            <Panel tono="aviso" titulo="Guardando">
              Una corrección de estos datos espera la respuesta de factura.com. <Link to="">Actualizar</Link>
            </Panel>
          )}
          <dl className="ficha">
            <Dato etiqueta="RFC" valor={cliente.rfc} copia />
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
            <Dato etiqueta="UID en factura.com" valor={cliente.uid} copia />
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
            <Dato etiqueta="Telefono" valor={<Telefono valor={cliente.telefono} />} />
            <Dato etiqueta="Email" valor={email} ancha copia />
            <Dato etiqueta="Email2" valor={email2} ancha copia />
            {email3 && <Dato etiqueta="Email3" valor={email3} ancha copia />}
          </dl>
          {cliente.fijo && <p className="nota">{PUBLICO_GENERAL_FIJO}</p>}
        </>
      )}
    </Ficha>
  );
}

function Dato({
  etiqueta,
  valor,
  ancha,
  copia,
}: {
  etiqueta: string;
  valor: ReactNode;
  ancha?: true;
  /** It is taken along to other places. */
  copia?: true;
}) {
  return (
    <div className={ancha && 'ancha'}>
      <dt>{etiqueta}</dt>
      <dd>
        {valor || '—'} {copia && typeof valor === 'string' && valor && <Copiar texto={valor} que={etiqueta} />}
      </dd>
    </div>
  );
}

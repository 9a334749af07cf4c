import { Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { PUBLICO_GENERAL_FIJO } from '~/domain/facturacion/cfdi/nombreFiscal';
import { etiquetaEn } from '~/domain/facturacion/sat/opciones';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Copiar } from '~/ui/Copiar';
import { Fecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Telefono } from '~/ui/Telefono';
import type { clienteOf } from './record';
import { ClienteForm } from './ClienteForm';
import { PorVentaFicha } from './PorVentaFicha';

export type ClienteAbierto = NonNullable<Awaited<ReturnType<typeof clienteOf>>>;

/** The panel of tax data: of a customer, which staff corrects, or of one sale, which nobody corrects. */
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
      numero={cliente.razonSocial}
      estado={
        <span>
          {cliente.rfc} <Copiar texto={cliente.rfc} que="RFC" />
        </span>
      }
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
          <Datos>
            <Dato de="RFC" copia="RFC">
              {cliente.rfc}
            </Dato>
            <Dato de="Razón Social" ancha>
              {cliente.razonSocial}
            </Dato>
            <Dato de="Régimen fiscal" ancha>
              {etiquetaEn(regimenes, cliente.regimen)}
            </Dato>
            <Dato de="Uso de CFDI" ancha>
              {cliente.usoCfdi && etiquetaEn(usos, cliente.usoCfdi)}
            </Dato>
            <Dato de="Fecha de creación">
              <Fecha valor={cliente.fechaCreacion} />
            </Dato>
            <Dato de="Última modificación">
              <Fecha valor={cliente.actualizadoEn} />
            </Dato>
            <Dato de="UID en factura.com" copia="UID en factura.com">
              {cliente.uid}
            </Dato>
          </Datos>
          <h3>Dirección</h3>
          <Datos>
            <Dato de="CP">{cliente.cp}</Dato>
            <Dato de="Colonia">{cliente.colonia}</Dato>
            <Dato de="Ciudad">{cliente.ciudad}</Dato>
            <Dato de="Estado">{cliente.estado}</Dato>
            <Dato de="Calle">{cliente.calle}</Dato>
            <Dato de="Numero ext.">{cliente.numeroExterior}</Dato>
            <Dato de="Numero int.">{cliente.numeroInterior}</Dato>
            <Dato de="Delegacion">{cliente.delegacion}</Dato>
          </Datos>
          <h3>Información de Contacto</h3>
          <Datos>
            <Dato de="Nombre">{cliente.nombre}</Dato>
            <Dato de="Apellidos">{cliente.apellidos}</Dato>
            <Dato de="Telefono">
              <Telefono valor={cliente.telefono} />
            </Dato>
            <Dato de="Email" ancha copia="Email">
              {email}
            </Dato>
            <Dato de="Email2" ancha copia="Email2">
              {email2}
            </Dato>
            {email3 && (
              <Dato de="Email3" ancha copia="Email3">
                {email3}
              </Dato>
            )}
          </Datos>
          {cliente.fijo && <p className="nota">{PUBLICO_GENERAL_FIJO}</p>}
        </>
      )}
    </Ficha>
  );
}

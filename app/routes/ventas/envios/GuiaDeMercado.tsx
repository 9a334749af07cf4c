import { Form, Link, useLocation } from '@remix-run/react';
import { SCREENS } from '~/access/screens';
import { enumerate } from '~/core/hechos';
import { withParams, type Wire } from '~/core/list';
import { writeDias } from '~/core/periodo';
import { civilDay, toInstant } from '~/core/time';
import { isViva } from '~/domain/ventas/envios/envio';
import type { Cotizacion } from '~/domain/mercados/guias';
import { MERCADOS } from '~/domain/mercados/mercados';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { Dato, Datos } from '~/ui/Datos';
import { Panel } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { Pesos } from '~/ui/Pesos';
import { Rechazado } from '~/ui/Rechazado';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { OrdenAbierta } from '~/routes/ventas/ordenes/record';
import { ImprimirGuia } from './ImprimirGuia';
import { askCancelGuia, askBuyGuia } from '~/routes/ventas/ordenes/questions';
import './envios.css';

type Guia = NonNullable<OrdenAbierta['guia']>;
type Compra = Guia['compras'][number];
type Props = { orden: OrdenAbierta; area: string };
type Marco = Props & { /** Whether the foot of the panel prints the label. */ enPie: boolean };

/** The label of a shipment: printed where it exists, and bought where the marketplace sells labels. */
export function GuiaDeMercado({ orden, area, enPie }: Marco) {
  const { guia, porImprimir, puede, market } = orden;
  const viva = guia?.compras.find(({ estado }) => estado === 'comprada');
  const imprimir = puede.operar && porImprimir && !enPie && <ImprimirGuia guia={porImprimir} area={area} />;
  if (!guia) return imprimir ? <p className="botones">{imprimir}</p> : null;
  const [ultima] = guia.compras;
  const comprable = puede.operar && isViva(orden) && guia.impide === null && guia.enCurso === null;
  if (!viva && !ultima && !guia.enCurso && !comprable) return imprimir ? <p className="botones">{imprimir}</p> : null;
  return (
    <section className="guia-de-mercado" aria-labelledby="guia-de-mercado">
      <h3 id="guia-de-mercado">Guía de {MERCADOS[market].label}</h3>
      {guia.enCurso && <EnCurso curso={guia.enCurso} resuelve={puede.resolver} area={area} market={market} />}
      {viva && (
        <>
          <DatosDeCompra compra={viva} />
          <div className="botones">
            {imprimir}
            {!viva.conArchivo && (
              <span className="nota">Su archivo se retiró al pasar el plazo de los datos personales.</span>
            )}
            {puede.operar && guia.enCurso === null && <Cancelar orden={orden} viva={viva} mandadaA={guia.mandadaA} />}
          </div>
        </>
      )}
      {!viva && ultima && <Cancelada compra={ultima} orden={orden} />}
      {comprable && <Comprar orden={orden} guia={guia} area={area} />}
    </section>
  );
}

/** The state of the refund of a cancelled label. */
const DINERO: Readonly<Record<Exclude<Compra['estado'], 'comprada'>, { tono: Tono; texto: string }>> = {
  reembolsoPedido: { tono: 'aviso', texto: 'Pendiente' },
  reembolsada: { tono: 'ok', texto: 'Aplicado' },
  sinReembolso: { tono: 'mal', texto: 'Rechazado' },
};

function DatosDeCompra({ compra }: { compra: Compra }) {
  const { estado, paqueteria, servicio, numero, costo, compradaEn } = compra;
  const entrega = entregaOf({ desde: compra.entregaDesde, hasta: compra.entregaHasta });
  return (
    <Datos>
      <Dato de="Estado">
        <Estatus tono={estado === 'comprada' ? 'ok' : 'neutro'}>
          {estado === 'comprada' ? 'Comprada' : 'Cancelada'}
        </Estatus>
      </Dato>
      <Dato de="Servicio">
        {paqueteria} {servicio}
      </Dato>
      <Dato de="Número">{numero}</Dato>
      <Dato de="Costo">
        <Pesos valor={costo} />
      </Dato>
      {estado === 'comprada' ? (
        <Dato de="Entrega prometida">{entrega ?? 'No la dice'}</Dato>
      ) : (
        <Dato de="Reembolso">
          <Estatus tono={DINERO[estado].tono}>{DINERO[estado].texto}</Estatus>
        </Dato>
      )}
      <Dato de="Comprada">
        <Fecha valor={compradaEn} />
      </Dato>
    </Datos>
  );
}

/** The sentence about a cancelled label's refund; nothing is promised before the carrier answers. */
const REEMBOLSO: Readonly<Record<Compra['estado'], string>> = {
  comprada: '',
  reembolsoPedido: 'Se pidió el reembolso y la paquetería todavía no contesta: el costo sigue contando.',
  reembolsada: 'El dinero volvió a la cuenta.',
  sinReembolso: 'La paquetería rechazó el reembolso: el costo se queda.',
};

function Cancelada({ compra, orden }: { compra: Compra; orden: OrdenAbierta }) {
  const pendiente = compra.estado === 'reembolsoPedido';
  return (
    <>
      <DatosDeCompra compra={compra} />
      <p className="nota bajo-campos">
        {REEMBOLSO[compra.estado]} {MERCADOS[orden.market].label} sigue dando la venta por enviada con esa guía.
        {pendiente && (
          <>
            {' '}
            Se preguntó <Fecha valor={compra.miradaEn} />.
          </>
        )}
      </p>
      {pendiente && orden.puede.operar && (
        <Form method="post" className="botones" preventScrollReset>
          <Hidden intent="revisarReembolso" orden={orden.id} />
          <button type="submit" className="boton">
            Preguntar por el reembolso
          </button>
        </Form>
      )}
    </>
  );
}

function EnCurso({
  curso: { que, estado },
  resuelve,
  area,
  market,
}: {
  curso: NonNullable<Guia['enCurso']>;
  resuelve: boolean;
  area: string;
  market: OrdenAbierta['market'];
}) {
  const { search } = useLocation();
  const tienda = MERCADOS[market].label;
  const hecho = que === 'compra' ? 'compró' : 'canceló';
  if (estado === 'manual')
    return (
      <Panel tono="aviso" titulo={`No se sabe si la guía se ${hecho}`}>
        <p>
          {tienda} no contestó.{que === 'compra' && ' No se compra otra hasta saberlo.'}{' '}
          {resuelve ? (
            <a href={`${area}/pendientes`}>Decídelo en {SCREENS.pendientes.label}</a>
          ) : (
            `Lo decide un administrador en ${SCREENS.pendientes.label}.`
          )}
        </p>
      </Panel>
    );
  return (
    <Panel titulo={que === 'compra' ? 'La compra de la guía está en camino' : 'La cancelación está en camino'}>
      <p>
        {estado === 'unknown' ? `Se busca en ${tienda} si la guía se ${hecho}.` : `${tienda} todavía no contesta.`}{' '}
        <Link to={search || '?'} preventScrollReset replace>
          Actualizar
        </Link>
      </p>
    </Panel>
  );
}

function Cancelar({ orden, viva, mandadaA }: { orden: OrdenAbierta; viva: Compra; mandadaA: string[] }) {
  return (
    <Form method="post" preventScrollReset>
      <Hidden intent="cancelarGuia" orden={orden.id} huella={orden.envio!.huella} />
      <Confirm plain="boton" {...askCancelGuia({ ...viva, mandadaA })}>
        Cancelar guía
      </Confirm>
    </Form>
  );
}

function Comprar({ orden, guia, area }: Props & { guia: Guia }) {
  const { search } = useLocation();
  const tienda = MERCADOS[orden.market].label;
  if (orden.editar !== 'guia')
    return (
      <>
        {guia.rechazo && (
          <Panel tono="mal" titulo="La guía no se compró">
            {guia.deAlla ? <Rechazado rechazo={guia.deAlla} /> : guia.rechazo}
          </Panel>
        )}
        <p className="botones">
          <Link className="boton" to={withParams(search, { editar: 'guia' })} preventScrollReset replace data-editar>
            {guia.compras.length > 0 ? 'Comprar otra guía' : `Comprar guía de ${tienda}`}
          </Link>
        </p>
      </>
    );
  if (!guia.remitente)
    return (
      <Panel tono="aviso" titulo="Falta el remitente">
        <p>
          Las guías dicen de dónde sale el paquete.{' '}
          {orden.puede.resolver ? (
            <a href={`${area}/tokens?abrir=remitente#titulo-remitente`}>Escríbelo en {SCREENS.tokens.label}</a>
          ) : (
            `Lo escribe un administrador en ${SCREENS.tokens.label}.`
          )}
        </p>
      </Panel>
    );
  return (
    <Cotizador key={orden.envio!.huella} orden={orden} guia={guia} cerrar={withParams(search, { editar: null })} />
  );
}

type Paquete = Record<'peso' | 'largo' | 'ancho' | 'alto', string>;
type Resultado = { cotizacion: Wire<Cotizacion>; paquete: Paquete };

function Cotizador({ orden, guia, cerrar }: { orden: OrdenAbierta; guia: Guia; cerrar: string }) {
  const { medidas } = guia;
  const form = useActionForm<Paquete>('cotizarGuia', {
    ...(medidas && {
      defaultValue: {
        peso: (medidas.peso / 1000).toFixed(2),
        largo: String(medidas.largo),
        ancho: String(medidas.ancho),
        alto: String(medidas.alto),
      },
    }),
  });
  const { fields } = form;
  const resultado = form.answer?.resultado as Resultado | undefined;
  const numero = { autoComplete: 'off', className: 'corto' } as const;
  return (
    <>
      <ActionForm of={form} aria-label="Medidas del paquete">
        <Hidden orden={orden.id} />
        <Visto of={form} marcas={{ huella: orden.envio!.huella }} />
        <p className="nota sobre-campos">
          {medidas
            ? 'Medidas de la última guía de estos mismos artículos: corrígelas si el paquete es otro.'
            : 'Peso y medidas del paquete ya cerrado. La paquetería cobra de más si no son esas.'}
        </p>
        <div className="campos medidas">
          <Field field={fields.peso} label="Peso (kg)" inputMode="decimal" {...numero} />
          <Field field={fields.largo} label="Largo (cm)" inputMode="numeric" {...numero} />
          <Field field={fields.ancho} label="Ancho (cm)" inputMode="numeric" {...numero} />
          <Field field={fields.alto} label="Alto (cm)" inputMode="numeric" {...numero} />
        </div>
        <div className="botones">
          <Link className="boton" to={cerrar} preventScrollReset replace>
            Cancelar
          </Link>
          <button className="boton" data-tono={resultado ? undefined : 'acento'} type="submit">
            {resultado ? 'Cotizar otra vez' : 'Ver servicios y precios'}
          </button>
        </div>
      </ActionForm>
      {resultado && <Servicios orden={orden} {...resultado} />}
    </>
  );
}

function Servicios({ orden, cotizacion, paquete }: Resultado & { orden: OrdenAbierta }) {
  const { servicios, rechazados, sinTerminos, suspendidas, sinPermiso, ilegibles } = cotizacion;
  const tienda = MERCADOS[orden.market].label;
  return (
    <div className="servicios-de-guia" role="region" aria-label="Servicios de envío" tabIndex={-1}>
      {servicios.length > 0 && (
        <p className="nota sobre-campos">
          Para {paquete.peso} kg, {paquete.largo} × {paquete.ancho} × {paquete.alto} cm
        </p>
      )}
      {servicios.length > 0 && (
        <TablaCaja nombre="Servicios de envío" conMandos>
          <table className="tabla tablero">
            <thead>
              <tr>
                <th>Servicio</th>
                <th>Entrega prometida</th>
                <th className="pesos">Precio</th>
                <th>
                  <span className="oculto">Comprar</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {servicios.map((servicio) => (
                <Servicio key={servicio.id} orden={orden} paquete={paquete} servicio={servicio} />
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
      {servicios.length === 0 && (
        <Panel
          tono="aviso"
          titulo={sinPermiso ? 'La cuenta no puede comprar guías' : 'No hay servicios para este paquete'}
        >
          <p>
            {sinPermiso
              ? `${tienda} no dio a esta cuenta permiso para comprar guías desde aquí.`
              : sinTerminos.length > 0
                ? `Faltan por aceptar los términos de ${enumerate(sinTerminos)}.`
                : suspendidas.length > 0
                  ? `No contesta ${enumerate(suspendidas)}: inténtalo más tarde.`
                  : ilegibles > 0
                    ? `${tienda} ofreció ${ilegibles} que no se pudieron leer.`
                    : `${tienda} no ofrece ninguna paquetería.`}{' '}
            <a href={ventaUrl(orden.market, orden.numOrden)} target="_blank" rel="noopener noreferrer">
              Abrir la venta en Seller Central
            </a>
          </p>
          <OtroCamino />
        </Panel>
      )}
      {servicios.length > 0 && sinTerminos.length > 0 && (
        <p className="nota">
          Sin términos aceptados: {enumerate(sinTerminos)}.{' '}
          <a href={ventaUrl(orden.market, orden.numOrden)} target="_blank" rel="noopener noreferrer">
            Acéptalos en Seller Central
          </a>
        </p>
      )}
      {servicios.length > 0 && suspendidas.length > 0 && (
        <p className="nota">No contesta por ahora: {enumerate(suspendidas)}.</p>
      )}
      {rechazados.length > 0 && (
        <details>
          <summary>No disponibles para este envío ({rechazados.length})</summary>
          <ul>
            {rechazados.map(({ nombre, motivo }) => (
              <li key={nombre}>
                {nombre}: {motivo}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The other way to send: a carrier of ours. */
function OtroCamino() {
  const { search } = useLocation();
  return (
    <p>
      También se puede mandar por nuestra paquetería:{' '}
      <Link to={withParams(search, { editar: 'envio' })} preventScrollReset replace>
        escribe ahí su guía
      </Link>
      .
    </p>
  );
}

function Servicio({
  orden,
  paquete,
  servicio: { id, nombre, paqueteria, precio, impide, ...promesa },
}: {
  orden: OrdenAbierta;
  paquete: Paquete;
  servicio: Wire<Cotizacion>['servicios'][number];
}) {
  const entrega = entregaOf(promesa) ?? undefined;
  const elegido = { nombre, paqueteria, precio, entrega };
  return (
    <tr>
      <td>
        {paqueteria}
        <br />
        <span className="nota">{[nombre, impide].filter(Boolean).join('. ')}</span>
      </td>
      <td data-campo="Entrega prometida">{entrega ?? 'No la dice'}</td>
      <td className="pesos" data-campo="Precio">
        <Pesos valor={precio} />
      </td>
      <td className="acciones">
        {impide === null && (
          <Form method="post" preventScrollReset>
            <Hidden
              intent="comprarGuia"
              orden={orden.id}
              huella={orden.envio!.huella}
              servicio={id}
              {...paquete}
              {...elegido}
            />
            <Confirm plain="boton" aria-label={`Comprar ${paqueteria} ${nombre}`} {...askBuyGuia(elegido)}>
              Comprar
            </Confirm>
          </Form>
        )}
      </td>
    </tr>
  );
}

/** '26 al 28 de noviembre', as far as it was told. */
function entregaOf({ desde, hasta }: { desde: string | null; hasta: string | null }): string | null {
  const [de, a] = [desde ?? hasta, hasta ?? desde];
  return de && a ? writeDias({ desde: civilDay(toInstant(de)), hasta: civilDay(toInstant(a)) }) : null;
}

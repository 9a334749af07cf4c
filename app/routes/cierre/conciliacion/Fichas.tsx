import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { CONCEPTO_LABEL } from '~/domain/cierre/conciliacion/concepto';
import { MERCADOS } from '~/domain/mercados/mercados';
import { Dato, Datos } from '~/ui/Datos';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { Cuadre } from './Cuadre';
import type { ConciliadaAbierta, DepositoAbierto } from './record';

/** The panel of a deposit: the opening balance, the movements, the closing balance, and the amount that nothing explains. */
export function DepositoFicha({ ficha: deposito, area }: DentroProps<DepositoAbierto>) {
  const { id, importe, sinExplicar } = deposito;
  return (
    <Ficha
      que="Depósito"
      numero={deposito.clave}
      estado={
        <>
          <span className="monto">
            <Pesos valor={importe} />
          </span>
          <Cuadre difiere={deposito.difiere} />
        </>
      }
    >
      <Hechos
        datos={[
          ['Mercado', MERCADOS[deposito.market].label],
          ['Fecha', <Fecha key="fecha" valor={deposito.fecha} />],
          ['Ventas', deposito.ventas],
          ['Diferencia en ventas', <Diferencia key="diferencia" valor={deposito.diferencia} />],
        ]}
      />
      <h3>De qué está hecho</h3>
      <Cuenta
        renglones={[
          ['Había en la cuenta', deposito.saldoAntes],
          ...deposito.conceptos.map(({ concepto, importe: suma }): [string, string] => [
            CONCEPTO_LABEL[concepto],
            suma,
          ]),
          ['Queda en la cuenta', negado(deposito.saldoDespues)],
          ['Sin explicar', sinExplicar],
        ]}
        total={['Depósito', importe]}
      />
      <Anotar intent="anotarDeposito" de={deposito} id={id} />
      <Lineas lineas={deposito.lineas} total={deposito.movimientos} area={area} />
    </Ficha>
  );
}

/** The panel of a settled sale: each concept as expected and as received. */
export function ConciliadaFicha({ ficha: venta, area }: DentroProps<ConciliadaAbierta>) {
  const conceptos: [string, string | null, string, string][] = [
    ['Cobrado', venta.eCobrado, sum(venta.rCobrado, venta.rDevuelto), venta.dCobrado],
    ['Comisión', venta.eComision, venta.rComision, venta.dComision],
    ['Envío', venta.eEnvio, venta.rEnvio, venta.dEnvio],
    ['Retención', venta.eRetencion, sum(venta.rIva, venta.rIsr, venta.rRetencion), venta.dRetencion],
    ['Otros cargos', '0.00', venta.rOtros, venta.rOtros],
  ];
  return (
    <Ficha
      que="Orden"
      numero={venta.numOrden}
      estado={
        <>
          <span className="monto">
            <Pesos valor={venta.recibido} />
          </span>
          <Estatus tono={venta.completa ? 'ok' : 'aviso'}>
            {venta.completa ? 'Liquidada' : 'Liquidada en parte'}
          </Estatus>
          <Cuadre difiere={venta.difiere} />
        </>
      }
      acciones={[
        <a key="orden" className="boton" href={`${area}/ordenes?ver=${venta.ordenId}`}>
          Abrir la orden
        </a>,
        venta.depositoId && (
          <a key="deposito" className="boton" href={`${area}/conciliacion?ver=${venta.depositoId}`}>
            Abrir el depósito
          </a>
        ),
      ]}
    >
      <p>{venta.titulo}</p>
      <TablaCaja nombre="Esperado y recibido">
        <table className="tabla">
          <thead>
            <tr>
              <th>Concepto</th>
              <th className="num">Esperado</th>
              <th className="num">Recibido</th>
              <th className="num">Diferencia</th>
            </tr>
          </thead>
          <tbody>
            {[...conceptos, ['Total', venta.esperado, venta.recibido, venta.diferencia] as const].map(
              ([nombre, esperado, recibido, diferencia]) => (
                <tr key={nombre}>
                  <td>{nombre}</td>
                  <td className="num">
                    <Pesos valor={esperado} />
                  </td>
                  <td className="num">
                    <Pesos valor={recibido} />
                  </td>
                  <td className="num">
                    <Diferencia valor={diferencia} />
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </TablaCaja>
      {(Number(venta.rIva) !== 0 || Number(venta.rIsr) !== 0) && (
        <p className="nota">
          Retenido: IVA <Pesos valor={negado(venta.rIva)} />, ISR <Pesos valor={negado(venta.rIsr)} />
        </p>
      )}
      <Anotar intent="anotarVenta" de={venta} id={venta.ordenId} />
      <Lineas lineas={venta.lineas} total={venta.movimientos} area={area} />
    </Ficha>
  );
}

/** Returns cents as whole numbers, so that sums are exact. */
const centavos = (pesos: string) => BigInt(pesos.replace('.', ''));
function enPesos(total: bigint): string {
  const text = (total < 0n ? -total : total).toString().padStart(3, '0');
  return `${total < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}
const sum = (...importes: string[]) => enPesos(importes.reduce((total, uno) => total + centavos(uno), 0n));
const negado = (pesos: string) => enPesos(-centavos(pesos));

/** A difference; a loss has a sign besides its colour. */
export function Diferencia({ valor }: { valor: string }) {
  if (Number(valor) === 0) return <>—</>;
  return valor.startsWith('-') ? (
    <span className="perdida">
      <Pesos valor={valor} />
    </span>
  ) : (
    <Pesos valor={valor} />
  );
}

export function Hechos({ datos }: { datos: [string, ReactNode][] }) {
  return (
    <Datos>
      {datos.map(([etiqueta, valor]) => (
        <Dato key={etiqueta} de={etiqueta}>
          {valor}
        </Dato>
      ))}
    </Datos>
  );
}

function Cuenta({ renglones, total: [nombre, importe] }: { renglones: [string, string][]; total: [string, string] }) {
  return (
    <TablaCaja nombre="Cuenta">
      <table className="tabla">
        <tbody>
          {renglones.map(([que, cuanto]) => (
            <tr key={que}>
              <td>{que}</td>
              <td className="num">
                <Pesos valor={cuanto} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{nombre}</th>
            <td className="num">
              <Pesos valor={importe} />
            </td>
          </tr>
        </tfoot>
      </table>
    </TablaCaja>
  );
}

function Anotar({
  intent,
  id,
  de: { version, motivo, reclamadoEn, quien, puede },
}: {
  intent: 'anotarDeposito' | 'anotarVenta';
  id: string;
  de: Pick<DepositoAbierto, 'version' | 'motivo' | 'reclamadoEn' | 'quien' | 'puede'>;
}) {
  const form = useActionForm<{ motivo: string; reclamado: string }>(intent, {
    id: `${intent}-${id}`,
    defaultValue: { motivo: motivo ?? '' },
  });
  return (
    <section>
      <h3>Motivo</h3>
      {reclamadoEn && (
        <p className="nota">
          Reclamado el <Fecha valor={reclamadoEn} /> {quien && `por ${quien}`}
        </p>
      )}
      {puede ? (
        <ActionForm of={form} className="apilado">
          <Hidden id={id} version={version} />
          <Field
            field={form.fields.motivo}
            label="Motivo de la diferencia"
            autoComplete="off"
            data-foco={motivo === null || undefined}
          />
          <Checkbox name="reclamado" value="1" defaultChecked={reclamadoEn !== null} label="Reclamado al mercado" />
          <div className="botones">
            <button type="submit" className="boton">
              Guardar
            </button>
          </div>
        </ActionForm>
      ) : (
        <p>{motivo ?? '—'}</p>
      )}
    </section>
  );
}

export function Lineas({ lineas, total, area }: { lineas: DepositoAbierto['lineas']; total: number; area: string }) {
  if (lineas.length === 0) return null;
  return (
    <>
      <h3>Movimientos</h3>
      {lineas.length < total && (
        <p className="nota">
          Se muestran {lineas.length} de {total} movimientos.
        </p>
      )}
      <TablaCaja nombre="Movimientos">
        <table className="tabla">
          <thead>
            <tr>
              <th>Fecha</th>
              <th>Concepto</th>
              <th>Orden</th>
              <th className="num">Importe</th>
            </tr>
          </thead>
          <tbody>
            {lineas.map(({ id, fecha, concepto, detalle, ordenId, numOrden, sueltoId, importe }) => (
              <tr key={id}>
                <td>
                  <Fecha valor={fecha} />
                </td>
                <td title={detalle}>{CONCEPTO_LABEL[concepto]}</td>
                <td>
                  {ordenId ? (
                    <a href={`${area}/conciliacion?por=ventas&ver=${ordenId}`}>{numOrden}</a>
                  ) : sueltoId ? (
                    <a href={`${area}/conciliacion?por=sueltos&ver=${sueltoId}`}>{detalle}</a>
                  ) : (
                    detalle
                  )}
                </td>
                <td className="num">
                  <Pesos valor={importe} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablaCaja>
    </>
  );
}

import { writeCount } from '~/core/count';
import type { Market } from '~/core/market';
import type { CredentialView } from '~/platform/connections/credentials.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Estatus } from '~/ui/Estatus';
import { Fecha, Hace } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { Vinculo } from '~/routes/operacion/conexiones/Vinculo';
import { AlmacenDe, type Almacenes } from './AlmacenDe';
import { mustFollow, type Mercado, PalancaDe } from '~/routes/publicaciones/publicaciones/PalancaDe';

type Tarifa = { comision: string; retencionIva: string; retencionIsr: string };
type Props = {
  market: Market;
  /** Rates of the law today, in percent. */
  ley: { iva: string; isr: string } | undefined;
  tarifa: Tarifa & { huella: string };
  /** Null where no account can be linked yet. */
  fuente: { kind: string; linked: CredentialView | null; hasta: Date | string | null } | null;
  seguimiento: Mercado;
  /** Null where the account counts its pieces by listing. */
  almacenes: Almacenes | null;
  area: string;
  ahora: Date | string;
};

/** The card of a marketplace: its connection, and the share it takes of each sale. */
export function TiendaCard({ market, ley, tarifa, fuente, seguimiento, almacenes, area, ahora }: Props) {
  const { label } = MERCADOS[market];
  return (
    <section className="hoja" aria-labelledby={`titulo-${market}`}>
      <h2 id={`titulo-${market}`}>{label}</h2>
      {fuente ? (
        <>
          <Vinculo link={fuente.linked} />
          {fuente.linked && (
            <p className="nota">
              Ventas completas hasta: <Hace valor={fuente.hasta} ahora={ahora} />
            </p>
          )}
          <p>
            <a href={`${area}/tokens?abrir=${fuente.kind}#titulo-${fuente.kind}`}>Activación de API</a>
          </p>
        </>
      ) : (
        <>
          <p>
            <Estatus>Todavía no se puede conectar.</Estatus>
          </p>
          <p className="nota">Sus precios se calculan con la ganancia de cada proveedor y no se publican.</p>
        </>
      )}
      {(fuente?.linked || mustFollow(seguimiento)) && (
        <Sincronizacion seguimiento={seguimiento} vinculada={Boolean(fuente?.linked)} area={area} />
      )}
      {almacenes && <AlmacenDe market={market} almacenes={almacenes} ahora={ahora} />}
      <TarifaForm market={market} tarifa={tarifa} ley={ley} />
    </section>
  );
}

/** The listings that follow the suppliers at a marketplace, and the switch that stops them. */
function Sincronizacion({
  seguimiento,
  vinculada,
  area,
}: Pick<Props, 'seguimiento' | 'area'> & {
  /** Without an account nothing is sent, whatever the switch says. */ vinculada: boolean;
}) {
  const { market, detenidoEn, quien, siguen, pendientes } = seguimiento;
  return (
    <div className="sincronizacion">
      <h3>Sincronización automática</h3>
      <p>
        {detenidoEn ? (
          <Estatus tono="mal">Detenida</Estatus>
        ) : vinculada ? (
          <Estatus tono="ok">Andando</Estatus>
        ) : (
          <Estatus>Sin cuenta: no se envía nada</Estatus>
        )}{' '}
        <span className="nota">
          {detenidoEn && (
            <>
              desde <Fecha valor={detenidoEn} />
              {quien && ` por ${quien}`} ·{' '}
            </>
          )}
          {siguen === 1
            ? '1 publicación sigue a su proveedor'
            : `${writeCount(siguen)} publicaciones siguen a su proveedor`}
          {pendientes > 0 && `, ${writeCount(pendientes)} por enviar`}
        </span>
      </p>
      <div className="botones">
        <a className="boton" href={`${area}/publicaciones?${market}=1&sync=si`}>
          Ver publicaciones
        </a>
        <PalancaDe market={market} detenida={detenidoEn !== null} />
      </div>
    </div>
  );
}

function TarifaForm({ market, ley, tarifa: { huella, ...tarifa } }: Pick<Props, 'market' | 'ley' | 'tarifa'>) {
  const form = useActionForm<Tarifa>('tarifa', {
    id: `tarifa-${market}`,
    defaultValue: tarifa,
    required: { comision: true },
  });
  const { label } = MERCADOS[market];
  const porcentaje = { inputMode: 'decimal', maxLength: 20, autoComplete: 'off' } as const;
  return (
    <ActionForm of={form}>
      <h3>Lo que queda de una venta</h3>
      <Hidden market={market} />
      <Visto of={form} marcas={{ huella }} />
      <div className="campos">
        <Field field={form.fields.comision} label="Comisión por omisión (%)" {...porcentaje} />
        <Field field={form.fields.retencionIva} label="IVA que retiene (%)" placeholder={ley?.iva} {...porcentaje} />
        <Field field={form.fields.retencionIsr} label="ISR que retiene (%)" placeholder={ley?.isr} {...porcentaje} />
      </div>
      <p className="nota">
        La comisión es del precio con IVA y se usa mientras no se conozca la de la categoría. Las retenciones son del
        precio sin IVA; vacías son las de la ley del día de la venta, que están abajo. No mueven ningún precio.
      </p>
      <div className="botones">
        <Boton
          tono="acento"
          type="submit"
          ocupado={form.pending !== undefined}
          aria-label={`Guardar lo que queda de una venta en ${label}`}
        >
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}

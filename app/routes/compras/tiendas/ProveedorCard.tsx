import { MARKETS, PRECIO_DE, type PrecioKey, PRECIOS } from '~/core/market';
import { rowOf } from '~/core/table';
import type { Vista } from '~/routes/operacion/conexiones/situacion';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { ReglaDeStock } from '~/domain/publicaciones/publicaciones/reglaDeStock.server';
import type { ProveedorConfigurado } from '~/domain/compras/directorio/configuracion.server';
import type { Operacion, Via } from '~/integrations/proveedores/cara';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Hace } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { EstadoDe } from '~/routes/operacion/conexiones/EstadoDe';
import type { ListaVista } from '~/domain/compras/catalogo/listaPrecios.server';
import { ComoSeCompra } from './ComoSeCompra';
import { ListaDePrecios } from './ListaDePrecios';
import { LecturaDeCatalogo, LecturaDePrecios } from './LecturaDeCatalogo';
import { Palanca } from './Palanca';
import { Pausas } from './Pausas';

/** The operations of the nine that are about buying. */
const COMPRA: Partial<Record<Operacion, string>> = {
  crearPedido: 'Pedido',
  confirmar: 'Confirmación',
  enviarGuia: 'Guía',
  estatus: 'Estatus',
  factura: 'Factura',
};
const COMO: Record<Exclude<Via, null>, string> = {
  api: 'por su API',
  catalogo: 'en nuestra copia',
  producto: 'con cada producto',
  pedido: 'dentro del pedido',
  correo: 'por correo',
  personas: 'a mano',
};

type Props = {
  proveedor: ProveedorConfigurado;
  /** The number of its pieces that the marketplaces show. */ stock: ReglaDeStock & { huella: string };
  /** The supplier's price list that waits to be applied. */ lista: ListaVista | null;
  conexion: Vista;
  area: string;
  ahora: Date | string;
};

/** The card of a wholesaler: its settings and the state of its catalogue. Its keys are entered on 'Activación de API'. */
export function ProveedorCard({ proveedor, stock, lista, conexion, area, ahora }: Props) {
  const { value, label, capacidades, limites, frescura } = proveedor;
  return (
    <section className="hoja proveedor-config" aria-labelledby={`titulo-${value}`}>
      <header>
        <h2 id={`titulo-${value}`}>{label}</h2>
        <EstadoDe situacion={conexion.situacion} />
        <a
          href={`${area}/tokens?abrir=${value}#titulo-${value}`}
          aria-label={`Llaves de ${label} en Activación de API`}
        >
          {conexion.linked ? 'Actualizar llaves' : 'Guardar llaves'}
        </a>
      </header>
      <div className="mitades">
        <div className="apilado">
          <GananciaForm proveedor={proveedor} />
          <StockForm proveedor={proveedor} stock={stock} />
        </div>
        <div className="apilado">
          <Pedidos proveedor={proveedor} />
          <div>
            <h3>Catálogo</h3>
            <LecturaDeCatalogo lectura={frescura.lecturas.find(({ tipo }) => tipo === 'completa')} ahora={ahora} />
            <LecturaDePrecios lectura={frescura.lecturas.find(({ tipo }) => tipo === 'precios')} ahora={ahora} />
          </div>
          <div>
            <FrescuraForm value={value} label={label} frescura={frescura} />
            <p className="nota">
              {frescura.frescaDe === null ? (
                'Sin una lectura terminada, su existencia cuenta 0 para las tiendas.'
              ) : (
                <>
                  Lo último que se leyó es de <Hace valor={frescura.frescaDe} ahora={ahora} />
                  {frescura.caducada && ': su existencia cuenta 0 para las tiendas'}.
                </>
              )}
              {frescura.tipoCambio !== null && frescura.tipoCambioDe !== null && (
                <>
                  {' '}
                  Su dólar: ${frescura.tipoCambio} <Hace valor={frescura.tipoCambioDe} ahora={ahora} />.
                </>
              )}
            </p>
          </div>
          <Pausas pausas={proveedor.pausas} />
        </div>
      </div>
      <div className="como-se-compra">
        <h3>Cómo se le compra y sus límites</h3>
        <ComoSeCompra value={value} label={label} compra={proveedor.compra} ahora={ahora} />
        <p className="nota">
          {Object.entries(COMPRA)
            .flatMap(([operacion, nombre]) => {
              const via = rowOf(capacidades, operacion);
              return via == null ? [] : [`${nombre} ${COMO[via]}`];
            })
            .join(' · ')}
          . {limites.join(' ')}
        </p>
      </div>
      {proveedor.tieneLista && <ListaDePrecios value={value} label={label} lista={lista} />}
    </section>
  );
}

type De = { proveedor: Props['proveedor'] };

/** A submit button of one part of the card; its label names the part. */
function Guardar({ form: { pending }, que }: { form: { pending: unknown }; que: string }) {
  return (
    <Boton type="submit" ocupado={pending !== undefined} aria-label={`Guardar ${que}`}>
      Guardar
    </Boton>
  );
}

function GananciaForm({ proveedor: { value, label, ganancias, huellaGanancias } }: De) {
  const form = useActionForm<Record<PrecioKey, string>>('ganancia', {
    id: `ganancia-${value}`,
    defaultValue: ganancias,
    required: { ml: true, amz: true },
  });
  return (
    <ActionForm of={form}>
      <h3>Ganancia sobre el costo</h3>
      <Hidden proveedor={value} />
      <Visto of={form} marcas={{ huella: huellaGanancias }} />
      <div className="con-boton">
        <div className="campos">
          {PRECIOS.map((key) => (
            <Field
              key={key}
              field={form.fields[key]}
              label={PRECIO_DE[key].label}
              aria-label={`Ganancia de ${label} en ${PRECIO_DE[key].label}`}
              placeholder={PRECIO_DE[key].tipo === '' ? undefined : ganancias[PRECIO_DE[key].market]}
              inputMode="decimal"
              maxLength={20}
              autoComplete="off"
            />
          ))}
        </div>
        <Guardar form={form} que={`la ganancia de ${label}`} />
      </div>
    </ActionForm>
  );
}

function StockForm({ proveedor: { value, label }, stock: { huella, ...regla } }: De & Pick<Props, 'stock'>) {
  const form = useActionForm<ReglaDeStock>('stock', {
    id: `stock-${value}`,
    defaultValue: regla,
    required: { mlColchon: true, amzColchon: true },
  });
  const piezas = { inputMode: 'numeric', maxLength: 10, autoComplete: 'off' } as const;
  return (
    <ActionForm of={form}>
      <h3>Stock en las tiendas</h3>
      <Hidden proveedor={value} />
      <Visto of={form} marcas={{ huella }} />
      <div className="por-tienda">
        {MARKETS.map((market) => (
          <fieldset key={market} className="campos par">
            <legend>{MERCADOS[market].label}</legend>
            <Field
              field={form.fields[`${market}Colchon`]}
              label="Colchón"
              aria-label={`Colchón de ${label} en ${MERCADOS[market].label}`}
              {...piezas}
            />
            <Field
              field={form.fields[`${market}Tope`]}
              label="Tope"
              aria-label={`Tope de ${label} en ${MERCADOS[market].label}`}
              placeholder="Sin tope"
              {...piezas}
            />
          </fieldset>
        ))}
      </div>
      <p className="nota">
        El colchón son piezas que no se ofrecen; el tope, las más que se muestran. Valen para las publicaciones con
        sincronización automática.
      </p>
      <div className="botones">
        <Guardar form={form} que={`el stock de ${label} en las tiendas`} />
      </div>
    </ActionForm>
  );
}

function Pedidos({ proveedor: { value, label, pedidos, capacidades } }: De) {
  const { crearPedido, comprarSinConfirmar, huella } = pedidos;
  const firme = capacidades.confirmar !== 'api';
  return (
    <div className="apilado">
      <h3>Pedidos</h3>
      <Palanca
        id={`crearPedido-${value}`}
        intent="pedidos"
        label="Crear pedidos"
        nota={
          crearPedido
            ? `Una venta pagada cuyo producto tiene auto orden se pide sola a ${label}.`
            : `A ${label} se le pide solo a mano.`
        }
        on={crearPedido}
        enviado={{ proveedor: value, crearPedido: !crearPedido, comprarSinConfirmar }}
        huella={huella}
      />
      {firme ? (
        <Palanca
          id={`sinConfirmar-${value}`}
          intent="pedidos"
          label="Comprar sin confirmar"
          nota={
            comprarSinConfirmar
              ? 'El pedido se compra en cuanto pasa las guardias, sin que nadie lo confirme.'
              : 'El pedido espera en Ordenes por confirmar.'
          }
          on={comprarSinConfirmar}
          enviado={{ proveedor: value, crearPedido, comprarSinConfirmar: !comprarSinConfirmar }}
          huella={huella}
        />
      ) : (
        <p className="nota">Sus pedidos siempre esperan a que alguien los confirme.</p>
      )}
    </div>
  );
}

type FrescuraProps = Pick<Props['proveedor'], 'value' | 'label' | 'frescura'>;

function FrescuraForm({ value, label, frescura: { frescuraMin, version } }: FrescuraProps) {
  const form = useActionForm<{ frescuraMin: string }>('frescura', {
    id: `frescura-${value}`,
    defaultValue: { frescuraMin: String(frescuraMin) },
    required: { frescuraMin: true },
  });
  return (
    <ActionForm of={form}>
      <Hidden proveedor={value} />
      <Visto of={form} marcas={{ version }} />
      <div className="con-boton">
        <Field
          field={form.fields.frescuraMin}
          label="Frescura (minutos)"
          inputMode="numeric"
          maxLength={10}
          autoComplete="off"
        />
        <Guardar form={form} que={`la frescura de ${label}`} />
      </div>
    </ActionForm>
  );
}

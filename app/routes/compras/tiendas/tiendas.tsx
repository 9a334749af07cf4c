import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { useArea } from '~/access/useArea';
import { Nada } from '~/core/fields';
import { enMiles } from '~/core/importe';
import { toWire } from '~/core/list';
import { MARKETS } from '~/core/market';
import { civilDay } from '~/core/time';
import { listConnections } from '~/platform/connections/list.server';
import { listFuentes } from '~/domain/mercados/registro.server';
import { GananciaForm, TarifaForm } from '~/domain/compras/precios/forms';
import { huellaOfTarifa, readTarifasEscritas, saveGanancias, saveTarifa } from '~/domain/compras/precios/reglas.server';
import {
  findConfigurable,
  listConfigurados,
  askGanancia,
  savePedidos,
} from '~/domain/compras/directorio/configuracion.server';
import { decideEncogido, askEncogido } from '~/domain/compras/catalogo/lecturas.server';
import { saveCompra, saveSucursal } from '~/domain/compras/directorio/comoSeCompra.server';
import { CompraForm, SucursalForm } from '~/domain/compras/directorio/compra';
import { PedidosForm } from '~/domain/compras/directorio/forms';
import {
  EncogidoForm,
  ReglaDeFrescura,
  AplicarListaForm,
  DescartarListaForm,
  ListaForm,
} from '~/domain/compras/catalogo/forms';
import { fetchElecciones } from '~/domain/compras/catalogo/elecciones.server';
import { saveFrescura } from '~/domain/compras/catalogo/frescura.server';
import {
  applyLista,
  discardLista,
  listEnEspera,
  askLista,
  receiveLista,
} from '~/domain/compras/catalogo/listaPrecios.server';
import { probarCompra } from '~/domain/compras/pedidos/probarCompra.server';
import { listSeguimiento } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import {
  askReglaOfStock,
  readReglasOfStock,
  saveReglaOfStock,
} from '~/domain/publicaciones/publicaciones/reglaDeStock.server';
import { chooseAlmacen, fetchAlmacenes, readAlmacenes } from '~/domain/publicaciones/publicaciones/almacenes.server';
import { AlmacenForm, LeerAlmacenes, ReglaDeStockForm } from '~/domain/publicaciones/publicaciones/forms';
import { MERCADOS } from '~/domain/mercados/mercados';
import { PersonaForm, TasaForm } from '~/domain/ventas/ordenes/tasas';
import { readTasas, savePersona, saveTasa } from '~/domain/ventas/ordenes/tasas.server';
import { siguen } from '~/domain/publicaciones/publicaciones/seguidas.server';
import { listFreshness } from '~/domain/sync/freshness.server';
import { defineActions, outcome } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { Asked, Refusal, useAsked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { palancaActions } from '~/routes/publicaciones/publicaciones/actions';
import { ProveedorCard } from './ProveedorCard';
import { vistaOf } from '~/routes/operacion/conexiones/situacion';
import { Retenciones } from './Retenciones';
import { TiendaCard } from './TiendaCard';
import './tiendas.css';

const Tab = z.enum(['tiendas', 'proveedores']).catch('tiendas');

export const meta: MetaFunction = () => [{ title: 'Configuración de tiendas' }];

export async function loader({ request }: LoaderFunctionArgs) {
  const tab = Tab.parse(new URL(request.url).searchParams.get('tab'));
  const conexiones = (await listConnections(db())).map(vistaOf);
  const ahora = new Date();
  if (tab === 'proveedores') {
    const [proveedores, listas] = await Promise.all([listConfigurados(db()), listEnEspera(db())]);
    const stocks = await readReglasOfStock(
      db(),
      proveedores.map(({ value }) => value),
    );
    return { tab, ahora, conexiones, proveedores, stocks, listas: Object.fromEntries(listas) };
  }
  const [tarifas, retenciones, frescuras, seguimiento, almacenes] = await Promise.all([
    readTarifasEscritas(db()),
    readTasas(db()),
    listFreshness(db()),
    listSeguimiento(db()),
    Promise.all(MARKETS.map(async (market) => [market, await readAlmacenes(db(), market)] as const)),
  ]);
  return {
    tab,
    ahora,
    retenciones: toWire(retenciones),
    // Rates that somebody wrote for next year are not those of today.
    ley: retenciones.filas.find(({ desde }) => desde <= civilDay(ahora)),
    // The order that people know.
    tiendas: MARKETS.toReversed().map((market) => {
      const tarifa = tarifas[market];
      const source = listFuentes().find((fuente) => fuente.market === market)?.source;
      return {
        market,
        almacenes: toWire(new Map(almacenes).get(market) ?? null),
        tarifa: { ...tarifa, huella: huellaOfTarifa(tarifa) },
        seguimiento: toWire(seguimiento.find((uno) => uno.market === market)!),
        fuente:
          source === undefined
            ? null
            : {
                kind: source,
                linked: conexiones.find(({ kind }) => kind === source)?.linked ?? null,
                hasta: frescuras.find((frescura) => frescura.source === source)?.lastSuccess ?? null,
              },
      };
    }),
  };
}

const sideOf = (_: ActionFunctionArgs, { proveedor }: Record<string, string>) => findConfigurable(proveedor);
type Side = ReturnType<typeof sideOf>;

/** Returns the far side of a form; 404 where the side is none of ours. */
function requireSide(side: Side): NonNullable<Side> {
  if (!side) throw new Response(null, { status: 404 });
  return side;
}

/** How long the notice stays, as agreed. */
const AVISO_LARGO_MS = 7_000;
const guardado = (aviso: string) => outcome({ aviso, dura: AVISO_LARGO_MS });

export const action = defineActions(sideOf, {
  ganancia: {
    schema: GananciaForm,
    right: 'proveedores.editar',
    confirm: (db, ganancias, _usuario, { opened }) => askGanancia(db, requireSide(opened), ganancias, siguen),
    async commit(trx, ganancias, usuario, { opened }) {
      await saveGanancias(trx, requireSide(opened).kind, ganancias, usuario.id);
      return guardado('Ganancia actializada');
    },
  },
  ...palancaActions(),
  stock: {
    schema: ReglaDeStockForm,
    right: 'proveedores.editar',
    confirm: (db, regla, _usuario, { opened }) => askReglaOfStock(db, requireSide(opened), regla),
    async commit(trx, regla, usuario, { opened }) {
      const side = requireSide(opened);
      await saveReglaOfStock(trx, side.kind, regla, usuario.id);
      return guardado(`El stock de ${side.label} en las tiendas se actualizó.`);
    },
  },
  pedidos: {
    schema: PedidosForm,
    right: 'proveedores.editar',
    async commit(trx, pedidos, usuario, { opened }) {
      const side = requireSide(opened);
      await savePedidos(trx, side, pedidos, usuario.id);
      return guardado(`Los pedidos de ${side.label} se actualizaron.`);
    },
  },
  compra: {
    schema: CompraForm,
    right: 'proveedores.editar',
    async commit(trx, compra, usuario, { opened }) {
      const side = requireSide(opened);
      await saveCompra(trx, side, compra, usuario.id);
      return guardado(`Se guardó cómo se le compra a ${side.label}.`);
    },
  },
  sucursal: {
    schema: SucursalForm,
    right: 'proveedores.editar',
    async commit(trx, sucursal, usuario, { opened }) {
      await saveSucursal(trx, requireSide(opened), sucursal, usuario.id);
      return guardado(`Se guardó la sucursal de «${sucursal.nombre}».`);
    },
  },
  elecciones: {
    schema: Nada,
    right: 'proveedores.editar',
    async run(db, _form, _usuario, { opened }) {
      const { kind, label } = requireSide(opened);
      await fetchElecciones(db, kind);
      return guardado(`Se leyeron las opciones de ${label}.`);
    },
  },
  probarCompra: {
    schema: Nada,
    right: 'proveedores.editar',
    run: async (db, _form, _usuario, { opened }) => guardado(await probarCompra(db, requireSide(opened))),
  },
  frescura: {
    schema: ReglaDeFrescura,
    right: 'proveedores.editar',
    async commit(trx, regla, usuario, { opened }) {
      const { label } = requireSide(opened);
      await saveFrescura(trx, regla, usuario.id);
      return guardado(`La frescura de ${label} se actualizó.`);
    },
  },
  lista: {
    schema: ListaForm,
    right: 'proveedores.editar',
    async run(db, lista, usuario, { opened }) {
      const side = requireSide(opened);
      await receiveLista(db, side, lista, usuario.id);
      const to = `?tab=proveedores#lista-${side.kind}`;
      return outcome({ aviso: 'Archivo enviado de forma correcta.', dura: AVISO_LARGO_MS, to });
    },
  },
  aplicarLista: {
    schema: AplicarListaForm,
    right: 'proveedores.editar',
    confirm: (db, { lista }) => askLista(db, lista),
    async commit(trx, lista, usuario) {
      const { cambia, nuevo } = await applyLista(trx, lista, usuario.id);
      return guardado(`La lista se aplicó. Cambiaron: ${enMiles(String(cambia))}. Nuevos: ${enMiles(String(nuevo))}.`);
    },
  },
  descartarLista: {
    schema: DescartarListaForm,
    right: 'proveedores.editar',
    async commit(trx, { lista }) {
      await discardLista(trx, lista);
      return guardado('La lista se descartó.');
    },
  },
  encogido: {
    schema: EncogidoForm,
    right: 'proveedores.editar',
    confirm: askEncogido,
    async commit(trx, encogido, usuario) {
      const { marcados } = await decideEncogido(trx, encogido, usuario.id);
      return guardado(
        encogido.decision === 'marcar'
          ? `Se marcaron ${marcados} productos como ausentes.`
          : 'Los productos se quedan.',
      );
    },
  },
  almacen: {
    schema: AlmacenForm,
    right: 'proveedores.editar',
    commit: async (trx, form, usuario) =>
      guardado(`Las piezas se escriben en «${await chooseAlmacen(trx, form, usuario.id)}».`),
  },
  leerAlmacenes: {
    schema: LeerAlmacenes,
    right: 'proveedores.editar',
    async run(db, { market }) {
      await fetchAlmacenes(db, market);
      return guardado(`Se leyeron los almacenes de ${MERCADOS[market].label}.`);
    },
  },
  persona: {
    schema: PersonaForm,
    right: 'proveedores.editar',
    async commit(trx, form, usuario) {
      await savePersona(trx, form, usuario.id);
      return guardado(TASAS_GUARDADAS);
    },
  },
  tasa: {
    schema: TasaForm,
    right: 'proveedores.editar',
    async commit(trx, form, usuario) {
      await saveTasa(trx, form, usuario.id);
      return guardado(TASAS_GUARDADAS);
    },
  },
  tarifa: {
    schema: TarifaForm,
    right: 'proveedores.editar',
    async commit(trx, tarifa, usuario) {
      await saveTarifa(trx, tarifa, usuario.id);
      return guardado('Éxito, la información fue guardada correctamente.');
    },
  },
});

const TASAS_GUARDADAS = 'Se guardó. Lo estimado con las tasas de ley se calcula de nuevo.';

const TABS = { tiendas: 'Tiendas', proveedores: 'Proveedores' } as const;

export default function TiendasConfiguracion() {
  const loaded = useLoaderData<typeof loader>();
  const area = useArea();
  const asked = useAsked();
  const { ahora } = loaded;
  if (asked)
    return (
      <div className="media">
        <PageHeader titulo="Configuración de tiendas" />
        <Asked cancelar="?tab=proveedores" />
      </div>
    );
  return (
    <div className="tiendas-config">
      <PageHeader titulo="Configuración de tiendas" />
      <Asked cancelar="?tab=proveedores" />
      <Refusal of="descartarLista" />
      <nav className="pestanas" aria-label="Secciones">
        {Object.entries(TABS).map(([tab, label]) => (
          <Link key={tab} to={`?tab=${tab}`} aria-current={tab === loaded.tab ? 'page' : undefined} discover="none">
            {label}
          </Link>
        ))}
      </nav>
      {loaded.tab === 'proveedores' && (
        <p className="nota">
          La ganancia es sobre el costo con IVA: 0.5 es 50 %. No es lo que queda de una venta, de la que salen comisión,
          envío e impuestos. Con más edad que su frescura, la existencia de un proveedor cuenta 0 para las tiendas.
        </p>
      )}
      {loaded.tab === 'tiendas'
        ? loaded.tiendas.map((tienda) => (
            <TiendaCard
              key={`${tienda.market} ${tienda.tarifa.huella} ${tienda.almacenes?.huella ?? ''}`}
              {...tienda}
              ley={loaded.ley}
              area={area}
              ahora={ahora}
            />
          ))
        : loaded.proveedores.map((proveedor) => (
            <ProveedorCard
              key={[
                proveedor.value,
                proveedor.huellaGanancias,
                proveedor.compra.huella,
                proveedor.frescura.version,
                loaded.stocks[proveedor.value]!.huella,
              ].join(' ')}
              proveedor={proveedor}
              stock={loaded.stocks[proveedor.value]!}
              lista={loaded.listas[proveedor.value] ?? null}
              conexion={loaded.conexiones.find(({ kind, account }) => kind === proveedor.value && account === '')!}
              area={area}
              ahora={ahora}
            />
          ))}
      {loaded.tab === 'tiendas' && <Retenciones key={loaded.retenciones.huella} retenciones={loaded.retenciones} />}
    </div>
  );
}

import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { encargar, rolesOfCola } from '~/access/hoy.server';
import { screensOf } from '~/access/screens';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { withParams } from '~/core/list';
import { DESHACER } from '~/core/submission';
import { isStorable } from '~/core/text';
import { civilDay, clockAsUtc } from '~/core/time';
import type { Usuario } from '~/core/usuario';
import {
  giveEncargo,
  listQuienes,
  postponeEncargo,
  resumeEncargo,
  releaseEncargo,
  takeEncargo,
} from '~/platform/hoy/encargos.server';
import { acomodar } from '~/platform/hoy/acomodo';
import { DarCosa, PosponerCosa, ReanudarCosa, SoltarCosa, TomarCosa } from '~/platform/hoy/forms';
import { instantOfHasta } from '~/platform/hoy/hasta';
import { primeraOf, readCola, type Abierta, type Carta } from '~/platform/hoy/hoy.server';
import { mapLeida, readOrLast } from '~/platform/hoy/leida.server';
import { COLAS, columnaOf } from '~/domain/operacion/hoyCatalog.server';
import { readLados } from '~/domain/operacion/lados.server';
import { readPrimerosPasos } from '~/domain/operacion/primerosPasos.server';
import { readRecorrido } from '~/domain/operacion/recorrido.server';
import { readHoyPropio } from '~/domain/personal/preferencias.server';
import { listFuentes } from '~/domain/mercados/registro.server';
import { readCifrasOfDia } from '~/domain/cierre/reportes/cifrasDelDia.server';
import { defineActions, outcome, type At } from '~/http/actions.server';
import { readQuery } from '~/http/readForm.server';
import { PageHeader } from '~/ui/Blocks';
import { deferredPart } from '~/ui/deferredPart';
import { formatFecha } from '~/ui/Fecha';
import { Refusal } from '~/ui/useAnswer';
import { useFresh } from '~/ui/useFresh';
import { db } from '~db/shared.server';
import { Pausadas } from '~/routes/operacion/conexiones/Pausadas';
import { aquiOf } from './aquiOf';
import { Atrasado, Cartas, LoPrimero, Otras } from './Cartas';
import { Cifras } from './Cifras';
import { cifrasDichas } from './cifrasDichas';
import { Frescura } from './Frescura';
import { frescurasOf } from './frescuraOf';
import { Fuentes } from './Fuentes';
import { FORMULARIO } from './NoEsDeHoy';
import { colasOf, lotesOfAtrasadas, readPagina } from './pagina';
import { PrimerosPasos } from './PrimerosPasos';
import { Recorrido } from './Recorrido';
import { ParteSinLeer } from './SinLeer';
import { UltimasVentas } from './UltimasVentas';
import './hoy.css';

const EncargoDialog = deferredPart('EncargoDialog', () =>
  import('./EncargoDialog').then(({ EncargoDialog }) => EncargoDialog),
);

const Cola = deferredPart('ColaEntera', () => import('./Cola').then(({ Cola }) => Cola), { ahead: false });

const Acomodar = deferredPart('Acomodar', () => import('./Acomodar').then(({ Acomodar }) => Acomodar), {
  ahead: false,
});

/** A new sale is on the screen within these seconds of being in the database. */
const LOOK_MS = 2_000;

export const meta: MetaFunction = () => [{ title: 'Hoy' }];

/** `cola`: one queue in full. `cosa`: one thing of a queue ('clave:id'), to be taken, given or put aside. `acomodar`: the cards as they are arranged. An unknown value opens nothing. */
const Texto = z.string().max(300).refine(isStorable).optional().catch(undefined);
const Pedido = z.object({ cola: Texto, cosa: Texto, acomodar: Texto });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const pedido = readQuery(request, Pedido);
  const abiertas = colasOf(usuario);
  const cola = abiertas.find(({ cola: { clave } }) => clave === pedido.cola);
  const pantallas = new Set<string>(screensOf(usuario.rol).map(([key]) => key));
  const [{ ventas, fuentes, cartas: todas, ...pagina }, propio, cifras, lados, entera, abierta, pasos, recorrido] =
    await Promise.all([
      readPagina(db(), usuario),
      readHoyPropio(db(), usuario.id),
      readCifrasOfDia(db()),
      readLados(db()),
      cola ? readCola(db(), cola, usuario) : null,
      readAbierta(abiertas, usuario, pedido.cosa),
      pantallas.has('tokens')
        ? readOrLast(db(), `primerosPasos ${usuario.id}`, () => readPrimerosPasos(db(), usuario))
        : NADA,
      readOrLast(db(), `recorrido ${usuario.id}`, () => readRecorrido(db(), usuario.id, (una) => pantallas.has(una))),
    ]);
  const enOrden = acomodar(
    todas.map((carta) => ({ ...carta, columna: columnaOf(carta.clave) })),
    propio.ordenDeHoy,
  );
  const cartas = enOrden.filter(({ clave }) => !propio.cartasAparte.includes(clave));
  const primera = primeraOf(cartas, usuario, pagina.ahora);
  const { aqui, formularios } = aquiOf(
    usuario,
    abiertas.map(({ cola }) => cola.clave),
  );
  const mercados = listFuentes().map(({ source }) => source);
  return {
    ...pagina,
    fuentes,
    frescuras: mapLeida(lados, (todos) => frescurasOf({ ...todos, ventas: fuentes, mercados })),
    hoy: civilDay(pagina.ahora),
    cartas,
    otras: enOrden.filter((carta) => !cartas.includes(carta)),
    acomoda: pedido.acomodar !== undefined,
    primera: primera && { clave: primera.carta.clave, linea: primera.linea },
    entera,
    abierta,
    pasos,
    recorrido: mapLeida(
      recorrido,
      (pasos) => pasos && pasos.map((paso) => ({ ...paso, a: paso.a ?? addressOf(paso, todas) })),
    ),
    cifras: mapLeida(cifras, cifrasDichas),
    ventas: mapLeida(ventas, (todas) => todas.map((venta) => ({ ...venta, pagado: String(venta.pagado) }))),
    yo: usuario.id,
    lotes: lotesOfAtrasadas(usuario),
    puedeActivar: pantallas.has('empresas'),
    puedeConectar: pantallas.has('tokens'),
    puedeComparar: pantallas.has('grafica'),
    aqui,
    // The page describes only the forms that stand on it.
    formularios: { ...(abierta && action.formularios), ...formularios },
  };
}

/** A part that this person has nothing of. */
const NADA = { valor: null, sinLeer: null } as const;

/** Returns the address of the first thing that waits in the queue of a step, or of the screen of the step. */
const addressOf = ({ cola, pantalla }: { cola: string | null; pantalla: string }, cartas: readonly Carta[]): string =>
  cartas.find(({ clave }) => clave === cola)?.lineas[0]?.a ?? pantalla;

/** Reads the thing that the address opens, where it waits and this person may see to it, with the other people who may. */
async function readAbierta(abiertas: readonly Abierta[], usuario: Usuario, cosa = '') {
  const [clave = '', ...resto] = cosa.split(':');
  const abierta = abiertas.find(({ cola }) => cola.clave === clave && !cola.sola);
  if (!abierta) return null;
  const carta = await readCola(db(), abierta, usuario, resto.join(':'));
  const [linea] = carta.lineas;
  return linea ? { clave, linea, quienes: await listQuienes(db(), rolesOfCola(abierta)) } : null;
}

const cerrada = (_form: unknown, { search }: At) => withParams(search, { cosa: null });

export const action = defineActions({
  tomar: {
    schema: TomarCosa,
    run: (db, { de, ...cual }, usuario) =>
      encargar(db, COLAS, cual, usuario, (trx, una) => takeEncargo(trx, una, de, usuario.id)),
    to: cerrada,
    aviso: 'Quedó a tu nombre.',
  },
  dar: {
    schema: DarCosa,
    run: async (db, { usuario: a, ...cual }, usuario) => {
      const quien = await encargar(db, COLAS, cual, usuario, (trx, una, abierta) =>
        giveEncargo(trx, una, a, rolesOfCola(abierta), usuario.id),
      );
      return outcome({ aviso: `Quedó a nombre de ${quien.nombre}.` });
    },
    to: cerrada,
  },
  soltar: {
    schema: SoltarCosa,
    run: (db, cual, usuario) => encargar(db, COLAS, cual, usuario, (trx, una) => releaseEncargo(trx, una, usuario.id)),
    to: cerrada,
    aviso: 'Ya no es de nadie.',
  },
  posponer: {
    schema: PosponerCosa,
    run: async (db, { hasta, motivo, ...cual }, usuario, { now }) => {
      const cuando = instantOfHasta(hasta, now);
      await encargar(db, COLAS, cual, usuario, (trx, una) =>
        postponeEncargo(trx, una, { hasta: cuando, motivo }, usuario.id),
      );
      return outcome({
        aviso: `Se pospuso hasta el ${formatFecha(cuando)}.`,
        deshacer: { formulario: DESHACER, intent: 'reanudar', ...cual },
      });
    },
    to: cerrada,
  },
  reanudar: {
    schema: ReanudarCosa,
    run: (db, cual, usuario) => encargar(db, COLAS, cual, usuario, (trx, una) => resumeEncargo(trx, una, usuario.id)),
    to: cerrada,
    aviso: 'Volvió a la lista.',
  },
});

const LARGO = new Intl.DateTimeFormat('es-MX', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

export default function Hoy() {
  const datos = useLoaderData<typeof loader>();
  const { ahora, hoy, fuentes, pausadas, cartas, primera, entera, abierta, cifras, ventas, marca, yo } = datos;
  const area = useArea();
  useFresh(`${area}/novedades`, marca, LOOK_MS);
  return (
    <div className="hoy">
      <PageHeader titulo="Hoy" nota={LARGO.format(clockAsUtc(hoy)).replace(',', '')}>
        <a className="boton" href={`${area}/enlaces`}>
          Enlace de facturación
        </a>
        <a className="boton" data-tono="acento" href={`${area}/facturacion`}>
          Facturar una orden
        </a>
      </PageHeader>
      {entera ? (
        <Cola carta={entera} lotes={datos.lotes} area={area} yo={yo} />
      ) : datos.acomoda ? (
        <Acomodar cartas={cartas} otras={datos.otras} area={area} />
      ) : (
        <>
          {datos.pasos.valor && <PrimerosPasos pasos={datos.pasos.valor} area={area} />}
          <ParteSinLeer titulo="Primeros pasos" sinLeer={datos.pasos.sinLeer} />
          <ParteSinLeer titulo="Recorrido" sinLeer={datos.recorrido.sinLeer} />
          {datos.recorrido.valor && <Recorrido pasos={datos.recorrido.valor} area={area} />}
          {primera && <LoPrimero {...primera} area={area} />}
          <Atrasado cartas={cartas} lotes={datos.lotes} area={area} />
          <ParteSinLeer titulo="Integraciones en pausa" sinLeer={pausadas.sinLeer} />
          <Pausadas pausadas={pausadas.valor ?? []} area={area} puedeActivar={datos.puedeActivar} />
          <ParteSinLeer titulo="Fuentes" sinLeer={fuentes.sinLeer} />
          <Fuentes fuentes={fuentes.valor ?? []} pausadas={pausadas.valor ?? []} cartas={cartas} />
          <div className="dia">
            <div className="tarjetas">
              <Cartas cartas={cartas} area={area} yo={yo} aqui={datos.aqui} marca={marca} />
              <Otras cartas={datos.otras} />
            </div>
            <div className="lado-del-dia">
              <Cifras
                cifras={cifras}
                ahora={ahora}
                porQue={datos.puedeComparar ? `${area}/grafica?cambio=dia#cambio` : null}
              />
              <Frescura
                frescuras={datos.frescuras}
                ahora={ahora}
                conectar={datos.puedeConectar ? `${area}/tokens` : null}
              />
            </div>
          </div>
          <UltimasVentas ventas={ventas} fuentes={fuentes.valor ?? []} area={area} />
        </>
      )}
      <Refusal of={FORMULARIO} />
      <Refusal of={DESHACER} />
      {abierta && <EncargoDialog key={abierta.linea.id} {...abierta} yo={yo} />}
    </div>
  );
}

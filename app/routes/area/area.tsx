import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, Outlet, useLoaderData, useLocation } from '@remix-run/react';
import { useCallback, useMemo } from 'react';
import { can } from '~/access/actions';
import { rolesOfList } from '~/access/lists';
import { menuOf, otrasPantallasOf, primeraOf, pulgarOf, type MenuEntry, type MenuGroup } from '~/access/menu';
import { screensOf } from '~/access/screens';
import { sesionOf, usuarioOf } from '~/access/session.server';
import { env } from '~/core/env.server';
import { mirrorApariencia } from '~/http/aspecto.server';
import { takeFlash } from '~/http/flash.server';
import { listPausadas } from '~/domain/personal/empresas.server';
import { ROL_LABEL, type Rol } from '~/core/usuario';
import { LISTS } from '~/domain/operacion/exports/lists.server';
import { listCondiciones } from '~/domain/operacion/mantenimiento/condiciones.server';
import { readCuentas } from '~/platform/hoy/hoy.server';
import { readOrLast } from '~/platform/hoy/leida.server';
import { readFuentes, type Fuentes } from '~/domain/sync/fuentes.server';
import { AreaFrame } from './AreaFrame';
import type { Cuentas } from './Cajon';
import { Teclas } from './Teclas';
import { Pausadas } from '~/routes/operacion/conexiones/Pausadas';
import { Avisos, Condiciones } from './Condiciones';
import { colasOf } from '../inicio/hoy/pagina';
import { Panel } from '~/ui/Blocks';
import { CompartirProvider } from '~/ui/Compartir';
import { DensidadProvider } from '~/ui/Densidad';
import { DesconectadasProvider } from '~/ui/Desconectadas';
import { Fecha } from '~/ui/Fecha';
import { AnchoProvider } from '~/ui/ficha/Ancho';
import { Notice } from '~/ui/Notice';
import { PantallasProvider } from '~/ui/Pantallas';
import { db } from '~db/shared.server';

export { soloPantalla as shouldRevalidate } from '~/ui/ficha/soloFicha';

/** Roles that can see to a fault of the installation. */
const ATIENDEN: ReadonlySet<string> = new Set(['sa', 'admin']);

/** The frame of a person who has to set up a second factor before anything opens. */
const NADA = {
  menu: [] as MenuGroup[],
  pulgar: [] as MenuEntry[],
  otras: [] as MenuEntry[],
  cuentas: {} as Cuentas,
  fuentes: { ahora: new Date(0).toISOString(), fuentes: [] } as Fuentes,
  puedeReintentar: false,
  pausadas: [] as Awaited<ReturnType<typeof listPausadas>>,
  condiciones: [] as Awaited<ReturnType<typeof listCondiciones>>,
  puedeActivar: false,
  compartir: null as Record<string, Rol[]> | null,
  pantallaDeInicio: '',
  simulador: '',
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { preferencias, debeActivar, plazoSegundoFactor: plazo } = sesionOf(context);
  const mirror = await mirrorApariencia(request, preferencias.apariencia);
  if (mirror) context.setCookie(mirror);
  const flash = await takeFlash(request);
  if (flash?.cookie) context.setCookie(flash.cookie);
  const aviso = flash?.aviso ?? null;
  const primera = primeraOf(usuario.rol);
  if (debeActivar) return { marca: env().MARCA, usuario, preferencias, aviso, primera, plazo, ...NADA };
  const { rol } = usuario;
  const abiertas = screensOf(rol);
  const [esperan, pausadas, condiciones, fuentes] = await Promise.all([
    readCuentas(db(), colasOf(usuario), usuario),
    readOrLast(db(), 'pausadas', () => listPausadas(db())),
    ATIENDEN.has(rol) ? readOrLast(db(), 'condiciones', () => listCondiciones(db())) : { valor: [] },
    readFuentes(db()),
  ]);
  const conHoy = abiertas.some(([key]) => key === 'hoy');
  const cuentas: Cuentas = Object.fromEntries(
    [...esperan].map(([pantalla, { clave, lista, ...cuenta }]) => {
      // Where no list shows these things alone, Hoy does.
      const a = lista ?? (conHoy ? `hoy?cola=${clave}` : null);
      return [`/${rol}/${pantalla}`, { ...cuenta, a: a && `/${rol}/${a}` }];
    }),
  );
  return {
    marca: env().MARCA,
    usuario,
    preferencias,
    primera,
    plazo,
    menu: menuOf(rol),
    pulgar: pulgarOf(rol),
    otras: otrasPantallasOf(rol),
    cuentas,
    fuentes,
    puedeReintentar: can(usuario, 'conexiones.sincronizar'),
    aviso,
    pausadas: pausadas.valor ?? [],
    condiciones: condiciones.valor ?? [],
    puedeActivar: abiertas.some(([key]) => key === 'empresas'),
    compartir: can(usuario, 'listas.compartir')
      ? Object.fromEntries(Object.keys(LISTS).map((lista) => [lista, rolesOfList(lista)]))
      : null,
    simulador: conHoy ? env().SANDBOX_URL : '',
    pantallaDeInicio: abiertas.find(([, screen]) => screen.home?.includes(rol))?.[0] ?? '',
  };
}

/** Returns the sources that bring nothing until somebody activates them. */
const caidasOf = (fuentes: Fuentes['fuentes']) =>
  fuentes.flatMap(({ label, estado, hasta }) =>
    estado === 'rota' || estado === 'sinVincular' ? [{ label, desde: estado === 'rota' ? hasta : null }] : [],
  );

/** The frame of a role; its screens are the routes inside. */
export default function Area() {
  const { aviso, pausadas, condiciones, puedeActivar, pantallaDeInicio, otras, compartir, plazo, ...marco } =
    useLoaderData<typeof loader>();
  const { usuario, preferencias, menu } = marco;
  // The screens a person may open: those of the menu, and those that have only an address.
  const pantallas = useMemo(() => [...menu.flatMap(({ entradas }) => entradas), ...otras], [menu, otras]);
  const conNombre = useCallback(
    (lista: string) => compartir?.[lista]?.map((rol) => ({ rol, nombre: ROL_LABEL[rol] })) ?? null,
    [compartir],
  );
  const caidas = useMemo(() => caidasOf(marco.fuentes.fuentes), [marco.fuentes]);
  const pantalla = useLocation().pathname.split('/')[2] || pantallaDeInicio;
  return (
    <AreaFrame
      area={`/${usuario.rol}`}
      avisos={<Avisos condiciones={condiciones.filter(({ nivel }) => nivel === 'aviso')} pantallas={pantallas} />}
      {...marco}
    >
      <Teclas area={`/${usuario.rol}`} pantallas={pantallas} />
      <Notice aviso={aviso} />
      <Condiciones condiciones={condiciones.filter(({ nivel }) => nivel === 'grave')} pantallas={pantallas} />
      {plazo && pantalla !== 'segundoFactor' && (
        <Panel tono="aviso" titulo="Activa la verificación en dos pasos.">
          Tu rol la necesita a partir del <Fecha valor={plazo} />.{' '}
          <Link to={`/${usuario.rol}/segundoFactor`}>Activarla</Link>
        </Panel>
      )}
      <Pausadas
        pausadas={pausadas.filter(({ pantallas }) => pantallas.includes(pantalla))}
        area={`/${usuario.rol}`}
        puedeActivar={puedeActivar}
      />
      <DensidadProvider value={preferencias.densidad}>
        <PantallasProvider value={pantallas}>
          <AnchoProvider area={`/${usuario.rol}`} anchos={preferencias.panelesAnchos}>
            <CompartirProvider value={conNombre}>
              <DesconectadasProvider value={caidas}>
                <Outlet />
              </DesconectadasProvider>
            </CompartirProvider>
          </AnchoProvider>
        </PantallasProvider>
      </DensidadProvider>
    </AreaFrame>
  );
}

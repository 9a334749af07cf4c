import { expect, test } from 'vitest';
import { can, needsProof } from '~/access/actions';
import { files, ROLES, SCREENS, type Rol } from '~/access/screens';
import { rolesOf, wantsProof } from '~/api/call.server';
import { CALLS } from '~/api/catalog.server';
import type { ScreenAction } from '~/http/actions.server';
import { screenName } from '../support/screenNames';
import { SIN_VERBO, VERBOS } from '../support/verbosV1';

/**
 * Whoever decides, decides about what the screen showed: every intent of every screen carries the mark of what it was shown, or says here why it
 * needs none.
 */
const modules = import.meta.glob<{ action?: ScreenAction }>('../../app/routes/**/*.{ts,tsx}', { eager: true });

/** Each form there is, and the fields without which it is refused that say which state its screen showed. */
const forms = Object.entries(modules).flatMap(([path, { action }]) =>
  Object.entries(action?.marcas ?? {}).map(([intent, marcas]) => {
    const { fields } = action!.formularios[intent]!;
    // Of a schema that is made of what was opened only its marks are known.
    const isRequired = (marca: string) => Object.keys(fields).length === 0 || fields[marca]?.required !== undefined;
    return {
      name: `${screenName(path)}#${intent}`,
      marked: marcas.some(isRequired),
    };
  }),
);

const LOOKS = 'It looks something up, or opens it, and writes over nothing.';
const ADDS = 'It makes something new, whatever there was; what may not be there twice is refused.';
const LETTER = 'A letter or message more, with what its subject says when it leaves.';
const STATE = 'Its command takes one state, the one in which its button is shown, and tells any other.';
const DUENO =
  'Whose a thing is and until when it waits changes nothing of the thing: the last word counts, and its story tells each.';
const OWN = 'It is about the person or browser that sends it.';

const HACER = `${ADDS} One lives for each sale and supplier, and the guards look at what stands then.`;

const LIGAR = 'A label hangs on one piece for good: the second is refused.';

const SURTIR = 'It names the pieces that were shown; one that moved meanwhile is refused by its state.';

const deVentas = (screen: string) => ({
  [`${screen}#entregar`]: STATE,
  [`${screen}#enlace`]: LETTER,
  [`${screen}#correo`]: `${LETTER} A sale that was cancelled or returned gets none.`,
  [`${screen}#revocarEnlace`]: STATE,
  [`${screen}#hacerPedido`]: HACER,
  [`${screen}#reintentar`]: 'The same call once more, as it was frozen.',
  [`${screen}#surtirVenta`]: SURTIR,
  [`${screen}#revisarReembolso`]: 'It asks what became of a refund, and keeps what the carrier says now.',
});
const deProveedor = (screen: string) => ({
  [`${screen}#agregarFactura`]: `${ADDS} What is left of its document is asked under the document's lock.`,
  [`${screen}#subirXml`]: ADDS,
});

const deFotos = (screen: string) => ({
  [`${screen}#fotosSubir`]: ADDS,
  [`${screen}#fotoQuitar`]: 'A picture that is gone stays gone, and its id names no other.',
  [`${screen}#fotoAdelantar`]: 'It moves one place forward from where it stands, and who looks again sees the order.',
});

const deProducto = (screen: string) => ({
  ...deFotos(screen),
  [`${screen}#leer`]: 'It reads one product again at its supplier, and keeps what that says now.',
  [`${screen}#tiendas`]: 'It reads what is on sale of one product again, and keeps what its marketplaces say now.',
  [`${screen}#par`]: 'What people say of two products is one word of three, and the last one counts.',
});

const PALANCA = 'What people say of the switch is one word of two, and the last one counts.';
const PUBLICACION = 'It reads one listing again at its marketplace, and keeps what that says now.';

const dePreguntas = (screen: string) => ({
  [`${screen}#agregarPlantilla`]: ADDS,
  [`${screen}#bloquear`]: STATE,
  [`${screen}#detenerRespuesta`]:
    'It names one answer by its id, and stops it in the one state in which its button is shown.',
});

const WITHOUT: Record<string, string> = {
  'ordenesCT#surtirVenta': SURTIR,
  'ordenesPorConfirmar#surtirVenta': SURTIR,
  'reclamos#correoReclamo': LETTER,
  ...dePreguntas('preguntas'),
  ...dePreguntas('responderPreguntas'),
  'publicaciones#leerPublicacion': PUBLICACION,
  'publicaciones#leerCompetencia': PUBLICACION,
  'publicaciones#leerPromociones': PUBLICACION,
  'publicaciones#palanca': PALANCA,
  'tiendasConfiguracion#palanca': PALANCA,
  'ordenesCT#hacerPedido': HACER,
  'ordenesPorConfirmar#hacerPedido': HACER,
  ...deVentas('ordenes'),
  ...deVentas('ordenesCanceladas'),
  ...deVentas('cotizarEnvios'),
  ...deVentas('llenarReporte'),
  ...deVentas('ordenesActivas'),
  ...deVentas('mensual'),
  ...deProveedor('facturasProveedores'),
  ...deProveedor('ordenes'),
  ...deProveedor('ordenesCanceladas'),
  ...deProveedor('llenarReporte'),
  ...deProveedor('ordenesActivas'),
  ...deProveedor('mensual'),
  ...deProveedor('rFacturacionGeneral'),
  'loQueVeElSat#subirRetenciones': ADDS,
  'loQueVeElSat#quitarRetencion': 'It names a document, which never changes; one that is gone is told.',
  'agentesVentas#agregar': ADDS,
  'empresas#agregar': ADDS,
  'proveedores#agregar': ADDS,
  'usuarios#agregar': ADDS,
  'datosFiscales#buscarCp': LOOKS,
  'devoluciones#crear': ADDS,
  'public/siqr#ligar': LIGAR,
  'stockInterno#ligarEtiqueta': LIGAR,
  'devoluciones#ligarEtiqueta': LIGAR,
  'stockInterno#adelantarEstado':
    'It moves one state a place up from where it stands, and who looks again sees the order.',
  'conteos#empezar': `${ADDS} While a count of that part is open, it is the one.`,
  'conteos#leer': `${ADDS} A piece counts once, whoever reads it.`,
  'conteos#descartar': STATE,
  'etiquetasStock#ligar': LIGAR,
  'etiquetasStock#crear': ADDS,
  'stockInterno#buscarProducto': LOOKS,
  'devoluciones#buscarProducto': LOOKS,
  ...deProducto('productos'),
  ...deProducto('buscador'),
  ...deFotos('publicadorML'),
  'publicadorML#categoriaComun': LOOKS,
  'publicadorML#comunes': 'It looks: which products qualify, each as it was seen then, and nothing is done.',
  'facturasClientes#reenviar': LETTER,
  'facturasClientes#sustituir': 'It opens a draft; what is decided is decided there.',
  'facturasClientes#seguir': 'It asks the SAT what it says.',
  'facturasClientes#pedirOtraVez': STATE,
  'usuarios#quitarSegundoFactor': STATE,
  'ganchos#crear': ADDS,
  'ganchos#probar': ADDS,
  'ganchos#reenviar': STATE,
  'ganchos#reenviarTodas': STATE,
  'tokensApi#crear': OWN,
  'tokensApi#revocar': STATE,
  'tokensApi#crearClave': OWN,
  'tokensApi#revocarClave': STATE,
  'datosUsuario#cerrarSesion': OWN,
  'datosUsuario#cerrarDemas': OWN,
  'segundoFactor#empezar': OWN,
  'segundoFactor#confirmar': OWN,
  'segundoFactor#renovar': OWN,
  'segundoFactor#quitar': OWN,
  'lote#preparar': 'It looks: which sales qualify, each in the version that was seen then, and nothing is done.',
  'lote#prepararAtrasadas': `${LOOKS} A preview of what is late by weeks, to be decided anew.`,
  'lote#correr': 'Each sale is dealt with in the version that its preview kept, or is told as moved.',
  'lote#decirPrecio': `${LOOKS} A preview with these prices, to be decided anew.`,
  'lote#decirRespuesta': `${LOOKS} A preview with these words, to be decided anew.`,
  'lote#detenerLote': 'What has left stays, and what has not is the same whoever looks.',
  'lote#deshacerLote': `${LOOKS} A preview of the act that takes it back, to be decided anew.`,
  'lote#reintentar': `${LOOKS} A preview of those that failed, to be decided anew.`,
  'hoy#tomar': 'It says whose the thing was; whoever took it meanwhile is named.',
  'hoy#dar': DUENO,
  'hoy#soltar': DUENO,
  'hoy#posponer': DUENO,
  'hoy#reanudar': DUENO,
  'public/primera#crear': ADDS,
  'public/codigo#entrar': OWN,
  'public/codigo#recuperar': OWN,
  'tiendasConfiguracion#probarCompra': LOOKS,
  'tiendasConfiguracion#elecciones': 'It reads what the supplier offers, and keeps what that says now.',
  'tiendasConfiguracion#leerAlmacenes': 'It reads the stores of the account, and keeps what the marketplace says now.',
  'tiendasConfiguracion#lista': 'It adds a list that waits, and changes no product.',
  'tiendasConfiguracion#descartarLista': 'It names the list; one that was applied stays.',
  'tiendasConfiguracion#encogido': 'It names the read; of two answers the first one stands.',
  'tokens#activar': LOOKS,
  'tokens#vincularEB': 'It is asked for once; who presses second finds the first.',
  'tokens#asociarEB': 'It names the source that the dialog showed.',
  'tokens#probar': LOOKS,
  'tokens#sincronizar': LOOKS,
  'tokens#avisos': 'What could not be read is read again.',
  'tokens#llaves': 'Keys are shown to nobody: whoever saves them brings all that are asked for.',
  'enlaces#crear': ADDS,
  'enlaces#correo': LETTER,
  'enlaces#mensaje': LETTER,
  'enlaces#revocar': STATE,
  'facturacion#buscar': LOOKS,
  'facturacion#limpiar':
    'Before a sale is found there is nothing to throw away; of a draft the command asks for its version.',
  'facturacionGeneral#reintentar': 'Only sales that its batch asked for already, as they are now.',
  'notaSencilla#articulos':
    'Before its first step a note has no state; of one there is the command asks for its version.',
  'notasSencillas#reenviar': LETTER,
  'files/exportaciones#pedir': LOOKS,
  'files/exportaciones#expediente': LOOKS,
  'files/exportaciones#quitar': OWN,
  'files/fuentes#reintentar': LOOKS,
  'files/vitales#vista': ADDS,
  'files/presencia#estoy': OWN,
  'files/listas#columnas': OWN,
  'files/listas#ancho': OWN,
  'files/listas#restablecer': OWN,
  'files/listas#guardarVista': OWN,
  'files/listas#actualizarVista': OWN,
  'files/listas#eliminarVista': OWN,
  'files/listas#reponerVista': OWN,
  'files/listas#reponerColumnas': OWN,
  'files/preferencias#apariencia': OWN,
  'files/preferencias#densidad': OWN,
  'files/preferencias#etiquetas': OWN,
  'files/preferencias#inicio': OWN,
  'files/preferencias#moverCarta': OWN,
  'files/preferencias#apartarCarta': OWN,
  'files/preferencias#ordenDeLaCasa': OWN,
  'files/preferencias#cajon': OWN,
  'files/preferencias#grupo': OWN,
  'files/preferencias#fijar': OWN,
  'files/preferencias#panel': OWN,
  'files/preferencias#teclas': OWN,
  'files/preferencias#recorrido': OWN,
  ...Object.fromEntries(
    ['relacionarNota', 'separarNota', 'descartarNota', 'usarNota', 'devolverNota'].map((intent) => [
      `estadoDeCuenta#${intent}`,
      'The note carries what was shown to be left of it, and the invoice what was owed on it: another amount is refused with both.',
    ]),
  ),
  'estadoDeCuenta#quitarUso': 'It names one use, which never changes; one that is gone stays gone.',
  'pagosProveedores#pagarFacturas':
    'Each chosen invoice carries what was owed on it, and another amount is refused with both.',
  'pagosProveedores#agregarAnunciadas':
    'Each chosen invoice carries the amount that was shown, and another amount is refused with both.',
  'pagosProveedores#subirComprobante': `${ADDS} A folio that is known is that payment, whoever brings it again.`,
  'pagosProveedores#leerComprobante': LOOKS,
  'pagosProveedores#guardarPagos': `${ADDS} A folio that is known is that payment, whoever brings it again.`,
  'cotizaciones#guardarPagos': `${ADDS} A folio that is known is that payment, whoever brings it again.`,
  'cotizarEnvios#buscarCp': LOOKS,
  'cotizarEnvios#enlaceEnvio': ADDS,
  'pendientes#otraVez': LOOKS,
  'public/datosEnvio#buscarCp': LOOKS,
  'public/facturacion#siguiente': LOOKS,
  'public/facturacion#corregir': STATE,
  'public/inicio#facturar': LOOKS,
  'public/inicio#mensaje': LETTER,
  'public/login#entrar': OWN,
  'public/salir#salir': OWN,
};

test('every form says which state its screen showed, or why it need not', () => {
  const silent = forms.filter(({ name, marked }) => !marked && WITHOUT[name] === undefined).map(({ name }) => name);
  expect(silent, 'give their schemas a Version or a Huella, and their pages the hidden fields (ui/Choque)').toEqual([]);
});

test('no reason outlives its form', () => {
  const unmarked = new Set(forms.flatMap(({ name, marked }) => (marked ? [] : [name])));
  expect(Object.keys(WITHOUT).filter((name) => !unmarked.has(name))).toEqual([]);
});

test('all screens are walked', () => {
  expect(forms.length).toBeGreaterThan(110);
  expect(forms.filter(({ marked }) => marked).length).toBeGreaterThan(50);
});

/** Each intent behind a session, with who may send it and whether it asks for a proof. */
const intents = Object.entries(modules).flatMap(([path, { action }]) => {
  const screen = screenName(path);
  const row =
    Object.entries(SCREENS).find(([key]) => key === screen)?.[1] ??
    files.find(([, { file }]) => path.endsWith(file))?.[1];
  if (!row || !('roles' in row)) return [];
  if (!action) return [];
  // An action without intents takes one thing, and its name is empty.
  return Object.entries(action.derechos ?? { '': undefined }).map(([intent, derecho]) => ({
    name: `${screen}#${intent}`,
    verbo: VERBOS[`${screen}#${intent}`] ?? VERBOS[`*#${intent}`],
    roles: (row.roles as readonly Rol[]).filter((rol) => !derecho || can({ rol }, derecho)),
    proof: derecho !== undefined && needsProof(derecho),
  }));
});

test('v1 does what a screen does: each intent has its call, or says why not', () => {
  const calls = new Set(CALLS.map(({ method, path }) => `${method} ${path}`));
  const sin = intents.filter(({ name, verbo }) => !(name in SIN_VERBO) && !(verbo && calls.has(verbo)));
  expect(sin.map(({ name, verbo }) => `${name}: ${verbo ?? 'sin verbo'}`)).toEqual([]);
  expect(Object.keys(SIN_VERBO).length).toBeLessThanOrEqual(12);
  const names = new Set(intents.flatMap(({ name }) => [name, `*#${name.split('#')[1]!}`]));
  expect([...Object.keys(VERBOS), ...Object.keys(SIN_VERBO)].filter((name) => !names.has(name))).toEqual([]);
});

test('who may do it on a screen may do it by v1, and nobody else', () => {
  const wrong = [...new Set(intents.flatMap(({ verbo }) => verbo ?? []))].flatMap((verbo) => {
    const call = CALLS.find(({ method, path }) => `${method} ${path}` === verbo);
    const suyos = intents.filter((one) => one.verbo === verbo && !(one.name in SIN_VERBO));
    const roles = ROLES.filter((rol) => suyos.some((one) => one.roles.includes(rol)));
    if (!call || suyos.length === 0 || call.method === 'GET') return [];
    const said = `${verbo}: ${rolesOf(call).join()} y no ${roles.join()}`;
    return rolesOf(call).join() === roles.join() && wantsProof(call) === suyos.some(({ proof }) => proof) ? [] : [said];
  });
  expect(wrong).toEqual([]);
});

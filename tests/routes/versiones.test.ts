import { expect, test } from 'vitest';
import type { ScreenAction } from '~/http/actions.server';

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
      name: `${path.replace(/^.*\/routes\/|\.tsx?$/g, '')}#${intent}`,
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

const deProducto = (screen: string) => ({
  [`${screen}#leer`]: 'It reads one product again at its supplier, and keeps what that says now.',
  [`${screen}#tiendas`]: 'It reads what is on sale of one product again, and keeps what its marketplaces say now.',
  [`${screen}#par`]: 'What people say of two products is one word of three, and the last one counts.',
});

const PALANCA = 'What people say of the switch is one word of two, and the last one counts.';
const PUBLICACION = 'It reads one listing again at its marketplace, and keeps what that says now.';

const dePreguntas = (screen: string) => ({
  [`${screen}#agregarPlantilla`]: ADDS,
  [`${screen}#bloquear`]: STATE,
});

const WITHOUT: Record<string, string> = {
  'catalogos/ordenesCT#surtirVenta': SURTIR,
  'herramientas/ordenesPorConfirmar#surtirVenta': SURTIR,
  'catalogos/reclamos#correoReclamo': LETTER,
  ...dePreguntas('catalogos/preguntas'),
  ...dePreguntas('herramientas/responderPreguntas'),
  'catalogos/publicaciones#leerPublicacion': PUBLICACION,
  'catalogos/publicaciones#palanca': PALANCA,
  'configuracion/tiendasConfiguracion#palanca': PALANCA,
  'catalogos/ordenesCT#hacerPedido': HACER,
  'herramientas/ordenesPorConfirmar#hacerPedido': HACER,
  ...deVentas('catalogos/ordenes'),
  ...deVentas('catalogos/ordenesCanceladas'),
  ...deVentas('herramientas/cotizarEnvios'),
  ...deVentas('herramientas/llenarReporte'),
  ...deVentas('herramientas/ordenesActivas'),
  ...deVentas('reportes/mensual'),
  ...deProveedor('catalogos/facturasProveedores'),
  ...deProveedor('catalogos/ordenes'),
  ...deProveedor('catalogos/ordenesCanceladas'),
  ...deProveedor('herramientas/llenarReporte'),
  ...deProveedor('herramientas/ordenesActivas'),
  ...deProveedor('reportes/mensual'),
  ...deProveedor('reportes/rFacturacionGeneral'),
  'catalogos/agentesVentas#agregar': ADDS,
  'catalogos/empresas#agregar': ADDS,
  'catalogos/proveedores#agregar': ADDS,
  'catalogos/usuarios#agregar': ADDS,
  'catalogos/datosFiscales#buscarCp': LOOKS,
  'catalogos/devoluciones#crear': ADDS,
  'public/siqr#ligar': LIGAR,
  'catalogos/stockInterno#ligarEtiqueta': LIGAR,
  'catalogos/stockInterno#adelantarEstado':
    'It moves one state a place up from where it stands, and who looks again sees the order.',
  'catalogos/etiquetasStock#ligar': LIGAR,
  'catalogos/etiquetasStock#crear': ADDS,
  'catalogos/stockInterno#buscarProducto': LOOKS,
  ...deProducto('catalogos/productos'),
  ...deProducto('herramientas/buscador'),
  'catalogos/facturasClientes#reenviar': LETTER,
  'catalogos/facturasClientes#sustituir': 'It opens a draft; what is decided is decided there.',
  'catalogos/facturasClientes#seguir': 'It asks the SAT what it says.',
  'catalogos/facturasClientes#pedirOtraVez': STATE,
  'catalogos/usuarios#quitarSegundoFactor': STATE,
  'cuenta/ganchos#crear': ADDS,
  'cuenta/ganchos#reenviar': STATE,
  'cuenta/ganchos#reenviarTodas': STATE,
  'cuenta/tokensApi#crear': OWN,
  'cuenta/tokensApi#revocar': STATE,
  'cuenta/segundoFactor#empezar': OWN,
  'cuenta/segundoFactor#confirmar': OWN,
  'cuenta/segundoFactor#renovar': OWN,
  'cuenta/segundoFactor#quitar': OWN,
  'herramientas/lote#preparar':
    'It looks: which sales qualify, each in the version that was seen then, and nothing is done.',
  'herramientas/lote#correr': 'Each sale is dealt with in the version that its preview kept, or is told as moved.',
  'herramientas/lote#reintentar': `${LOOKS} A preview of those that failed, to be decided anew.`,
  'inicio/hoy#tomar': 'It says whose the thing was; whoever took it meanwhile is named.',
  'inicio/hoy#dar': DUENO,
  'inicio/hoy#soltar': DUENO,
  'inicio/hoy#posponer': DUENO,
  'inicio/hoy#reanudar': DUENO,
  'public/codigo#entrar': OWN,
  'public/codigo#recuperar': OWN,
  'configuracion/tiendasConfiguracion#lista': 'It adds a list that waits, and changes no product.',
  'configuracion/tiendasConfiguracion#descartarLista': 'It names the list; one that was applied stays.',
  'configuracion/tiendasConfiguracion#encogido': 'It names the read; of two answers the first one stands.',
  'configuracion/tokens#activar': LOOKS,
  'configuracion/tokens#vincularEB': 'It is asked for once; who presses second finds the first.',
  'configuracion/tokens#asociarEB': 'It names the source that the dialog showed.',
  'configuracion/tokens#probar': LOOKS,
  'configuracion/tokens#sincronizar': LOOKS,
  'configuracion/tokens#avisos': 'What could not be read is read again.',
  'configuracion/tokens#llaves': 'Keys are shown to nobody: whoever saves them brings all that are asked for.',
  'facturacion/enlaces#crear': ADDS,
  'facturacion/enlaces#correo': LETTER,
  'facturacion/enlaces#mensaje': LETTER,
  'facturacion/enlaces#revocar': STATE,
  'facturacion/facturacion#buscar': LOOKS,
  'facturacion/facturacion#limpiar':
    'Before a sale is found there is nothing to throw away; of a draft the command asks for its version.',
  'facturacion/facturacionGeneral#reintentar': 'Only sales that its batch asked for already, as they are now.',
  'facturacion/notaSencilla#articulos':
    'Before its first step a note has no state; of one there is the command asks for its version.',
  'facturacion/notasSencillas#reenviar': LETTER,
  'files/exportaciones#pedir': LOOKS,
  'files/exportaciones#quitar': OWN,
  'files/fuentes#reintentar': LOOKS,
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
  'files/preferencias#cajon': OWN,
  'files/preferencias#grupo': OWN,
  'files/preferencias#fijar': OWN,
  'files/preferencias#panel': OWN,
  'files/preferencias#teclas': OWN,
  'herramientas/pagosProveedores#subirComprobante': `${ADDS} A folio that is known is that payment, whoever brings it again.`,
  'herramientas/pagosProveedores#leerComprobante': LOOKS,
  'herramientas/cotizaciones#guardarPagos': `${ADDS} A folio that is known is that payment, whoever brings it again.`,
  'herramientas/cotizarEnvios#buscarCp': LOOKS,
  'herramientas/cotizarEnvios#enlaceEnvio': ADDS,
  'herramientas/pendientes#otraVez': LOOKS,
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

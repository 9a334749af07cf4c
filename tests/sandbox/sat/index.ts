/** The impostor of the SAT's page for the QR code of a constancia: it shows a cédula in tables inside tables, or says that there is none. */
import {
  answerOrBack,
  escapeText,
  json,
  type SandboxRequest,
  type SandboxResponse,
  type Service,
  type ServiceOptions,
} from '../service';

type Cedula = {
  idCif: string;
  rfc: string;
  /** Name and surnames of a natural person. */
  persona?: string[];
  razonSocial?: string;
  capital?: string;
  cp: string;
  regimenes: { texto: string; baja?: string }[];
};

const CEDULAS: Cedula[] = [
  {
    idCif: '15060398465',
    rfc: 'RAOF850412K20',
    persona: ['MARIA FERNANDA', 'RAMIREZ', 'OCHOA'],
    cp: '06600',
    regimenes: [{ texto: 'Régimen de las Personas Físicas con Actividades Empresariales y Profesionales' }],
  },
  {
    idCif: '14010203040',
    rfc: 'EKU9003173C9',
    razonSocial: 'ESCUELA KEMPER URGATE',
    capital: 'SA DE CV',
    cp: '42501',
    regimenes: [{ texto: 'Régimen General de Ley Personas Morales' }],
  },
];

/** Unconfirmed facts of the page, each with the ways it may be. The first way is the one that was seen. */
const FORMAS = {
  /** Code of the letters with accents: UTF-8, their names (`&oacute;`), or one byte each. */
  letras: ['utf8', 'nombres', 'latin1'],
  etiquetaCp: ['CP:', 'Código Postal:'],
  /** Place of a company's kind ('SA DE CV'): a line of its own, or the end of the name. */
  sociedad: ['aparte', 'en-el-nombre'],
  /** Whether regimes that ended are shown, with their last day. */
  bajas: ['no', 'si'],
  /** Whether the page begins with the declaration of an XML. */
  declaracion: ['si', 'no'],
} as const;
type Forma = { [K in keyof typeof FORMAS]: (typeof FORMAS)[K][number] };
const usual = () => Object.fromEntries(Object.entries(FORMAS).map(([name, [first]]) => [name, first])) as Forma;

type Pair = [label: string, value: string];

export function createSat({ store }: ServiceOptions): Service {
  let cedulas = [...CEDULAS];
  let forma = usual();

  function change(request: SandboxRequest): SandboxResponse {
    const asked = (request.data() ?? {}) as Record<string, string>;
    const known = (name: string): name is keyof Forma => name in FORMAS;
    for (const [name, value] of Object.entries(asked))
      if (!known(name) || !(FORMAS[name] as readonly string[]).includes(value))
        return json(400, { error: 'unknown_form', formas: FORMAS });
    forma = { ...usual(), ...asked };
    store.changed();
    return answerOrBack(request, { ok: true, forma });
  }

  function add(request: SandboxRequest): SandboxResponse {
    const cedula = request.data() as Cedula;
    cedulas = [...cedulas.filter(({ idCif }) => idCif !== cedula.idCif), cedula];
    store.changed();
    return answerOrBack(request, { ok: true });
  }

  return {
    name: 'sat',
    title: 'SAT (validador del QR de la constancia)',
    about: 'La página que abre el código QR de una Constancia de Situación Fiscal.',
    prefixes: ['/sat'],
    handle({ method, path, url }) {
      if (method !== 'GET' || path !== '/app/qr/faces/pages/mobile/validadorqr.jsf')
        return { status: 404, headers: { 'content-type': 'text/html' }, body: 'Error 404--Not Found' };
      const [idCif, rfc] = (url.searchParams.get('D3') ?? '').split('_');
      const ofCedula = url.searchParams.get('D1') === '10' && url.searchParams.get('D2') === '1';
      const found = ofCedula && cedulas.find((one) => one.idCif === idCif && one.rfc === rfc);
      return written(found ? ficha(found, forma) : NINGUNA, forma);
    },
    control: { 'POST /forma': change, 'POST /cedulas': add },
    counts: () => ({ Cédulas: cedulas.length }),
    snapshot: () => ({ cedulas, forma }),
    restore(state) {
      const kept = state as { cedulas?: Cedula[]; forma?: Forma };
      cedulas = kept.cedulas ?? [...CEDULAS];
      forma = { ...usual(), ...kept.forma };
    },
    reset() {
      cedulas = [...CEDULAS];
      forma = usual();
    },
  };
}

/** Names of the letters in HTML. */
const NAMES: Record<string, string> = {
  á: 'aacute',
  é: 'eacute',
  í: 'iacute',
  ó: 'oacute',
  ú: 'uacute',
  Ñ: 'Ntilde',
  ñ: 'ntilde',
  É: 'Eacute',
  Ó: 'Oacute',
};

function written(content: string, { letras, declaracion }: Forma): SandboxResponse {
  const page = `${declaracion === 'si' ? '<?xml version="1.0" encoding="UTF-8" ?>\n' : ''}<!DOCTYPE html>
<html><head><title>Validador QR</title>
<script type="text/javascript">$(document).bind('mobileinit', function () { $.mobile.ajaxEnabled = false; });</script></head>
<body><center><img id="j_idt4" src="/app/qr/images/HACIENDA-SAT.jpg" alt="" width="320px" /></center>
<div id="pageContent" data-role="content"><form id="ubicacionForm" method="post" class="ui-content">
${content}
<input type="hidden" name="javax.faces.ViewState" value="-7291537980951912602:7770818923356426443" autocomplete="off" /></form></div></body></html>`;
  const named = letras === 'nombres' ? page.replace(/[áéíóúÑñÉÓ]/g, (letter) => `&${NAMES[letter]};`) : page;
  return {
    status: 200,
    headers: { 'content-type': `text/html;charset=${letras === 'latin1' ? 'ISO-8859-1' : 'UTF-8'}` },
    body: Buffer.from(named, letras === 'latin1' ? 'latin1' : 'utf8'),
  };
}

const NINGUNA = `<fieldset><div class="ui-messages-info ui-corner-all"><ul><li><span class="ui-messages-info-summary"></span
><span class="ui-messages-info-detail">No se encontró información de la cédula de identificación fiscal para los datos proporcionados</span></li></ul></div></fieldset>`;

function ficha({ rfc, persona, razonSocial, capital, cp, regimenes }: Cedula, forma: Forma): string {
  const [nombre = '', paterno = '', materno = ''] = persona ?? [];
  const denominacion = forma.sociedad === 'aparte' ? razonSocial : [razonSocial, capital].filter(Boolean).join(', ');
  const identificacion: Pair[] = persona
    ? [
        ['CURP:', `${rfc.slice(0, 10)}MDFMCR09`],
        ['Nombre:', nombre],
        ['Apellido Paterno:', paterno],
        ['Apellido Materno:', materno],
      ]
    : [
        ['Denominación o Razón Social:', denominacion ?? ''],
        ['Régimen de capital:', capital ?? ''],
      ];
  const shown = regimenes.filter(({ baja }) => forma.bajas === 'si' || baja === undefined);
  return [
    `<ul data-role="listview"><li>El RFC: ${escapeText(rfc)}, tiene asociada la siguiente información.</li></ul>`,
    seccion('Datos de Identificación', [
      ...identificacion,
      ['Fecha de Inicio de operaciones:', '01-01-2020'],
      ['Situación del contribuyente:', 'ACTIVO'],
    ]),
    seccion('Datos de Ubicación (domicilio fiscal, vigente)', [
      ['Entidad Federativa:', 'CIUDAD DE MEXICO'],
      ['Número interior:', ''],
      [forma.etiquetaCp, cp],
      ['Correo electrónico:', 'nadie@correo.test'],
    ]),
    seccion(
      'Características fiscales (vigente)',
      shown.flatMap(({ texto, baja }): Pair[] => [
        ['Régimen:', texto],
        ['Fecha de alta:', '01-01-2020'],
        ...(forma.bajas === 'si' ? [['Fecha de baja:', baja ?? ''] as Pair] : []),
      ]),
    ),
  ].join('\n');
}

function seccion(titulo: string, pairs: Pair[]): string {
  const rows = pairs.map(
    ([label, value], at) => `<tr data-ri="${at}" class="ui-widget-content" role="row">
<td role="gridcell"><span style="font-weight: bold;">${label}</span></td>
<td role="gridcell" style="text-align:left;">${escapeText(value)}</td></tr>`,
  );
  return `<ul data-role="listview"><li data-role="list-divider">${titulo}</li><li>
<table class="ui-panelgrid ui-widget prueba" role="grid"><tbody><tr class="ui-widget-content" role="row"><td role="gridcell">
<div class="ui-datatable"><table role="grid"><thead><tr role="row"><th role="columnheader"><span></span></th></tr></thead><tfoot></tfoot>
<tbody class="ui-datatable-data ui-widget-content">${rows.join('\n')}</tbody></table></div>
<script type="text/javascript">$(function () { PrimeFaces.cw('DataTable', 'widget', { id: 'x' }); });</script></td></tr>
<tr class="ui-widget-content" role="row"><td role="gridcell"></td></tr></tbody></table></li></ul>`;
}

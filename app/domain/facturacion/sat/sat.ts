/**
 * The day on which the SAT's catalogues below were copied (CFDI 4.0). Catalogues ship with the product, so a form never opens empty and a rule never
 * waits for the PAC; the PAC's own lists only add names that these lack.
 */
export const SAT_SNAPSHOT = '2026-08-06';

/** The persons that may use a key: natural (F), legal (M) or both. */
export type Persona = 'F' | 'M' | 'FM';
/** A key of a catalogue with the SAT's text for it. */
export type Clave = { id: string; texto: string };

/** A tax regime (c_RegimenFiscal). */
export type Regimen = Clave & { persona: Persona };

export const REGIMENES: readonly Regimen[] = [
  { id: '601', persona: 'M', texto: 'General de Ley Personas Morales' },
  { id: '603', persona: 'M', texto: 'Personas Morales con Fines no Lucrativos' },
  { id: '605', persona: 'F', texto: 'Sueldos y Salarios e Ingresos Asimilados a Salarios' },
  { id: '606', persona: 'F', texto: 'Arrendamiento' },
  { id: '607', persona: 'F', texto: 'Régimen de Enajenación o Adquisición de Bienes' },
  { id: '608', persona: 'F', texto: 'Demás ingresos' },
  { id: '610', persona: 'FM', texto: 'Residentes en el Extranjero sin Establecimiento Permanente en México' },
  { id: '611', persona: 'F', texto: 'Ingresos por Dividendos (socios y accionistas)' },
  { id: '612', persona: 'F', texto: 'Personas Físicas con Actividades Empresariales y Profesionales' },
  { id: '614', persona: 'F', texto: 'Ingresos por intereses' },
  { id: '615', persona: 'F', texto: 'Régimen de los ingresos por obtención de premios' },
  { id: '616', persona: 'F', texto: 'Sin obligaciones fiscales' },
  { id: '620', persona: 'M', texto: 'Sociedades Cooperativas de Producción que optan por diferir sus ingresos' },
  { id: '621', persona: 'F', texto: 'Incorporación Fiscal' },
  { id: '622', persona: 'M', texto: 'Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras' },
  { id: '623', persona: 'M', texto: 'Opcional para Grupos de Sociedades' },
  { id: '624', persona: 'M', texto: 'Coordinados' },
  {
    id: '625',
    persona: 'F',
    texto: 'Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas',
  },
  { id: '626', persona: 'FM', texto: 'Régimen Simplificado de Confianza' },
];

/** Regimes of businesses that keep accounts (A), of persons who only deduct personally (D), and all of them (T). */
const A = '601 603 606 612 620 621 622 623 624 625 626'.split(' ');
const D = '605 606 607 608 611 612 614 615 625'.split(' ');
const T = REGIMENES.map((regimen) => regimen.id);

/** A use of a CFDI (c_UsoCFDI), with the regimes of the receiver that may have it. */
export type Uso = Clave & { persona: Persona; regimenes: readonly string[] };

export const USOS: readonly Uso[] = [
  { id: 'G01', persona: 'FM', regimenes: A, texto: 'Adquisición de mercancías' },
  { id: 'G02', persona: 'FM', regimenes: [...A, '616'], texto: 'Devoluciones, descuentos o bonificaciones' },
  { id: 'G03', persona: 'FM', regimenes: A, texto: 'Gastos en general' },
  { id: 'I01', persona: 'FM', regimenes: A, texto: 'Construcciones' },
  { id: 'I02', persona: 'FM', regimenes: A, texto: 'Mobiliario y equipo de oficina por inversiones' },
  { id: 'I03', persona: 'FM', regimenes: A, texto: 'Equipo de transporte' },
  { id: 'I04', persona: 'FM', regimenes: A, texto: 'Equipo de cómputo y accesorios' },
  { id: 'I05', persona: 'FM', regimenes: A, texto: 'Dados, troqueles, moldes, matrices y herramental' },
  { id: 'I06', persona: 'FM', regimenes: A, texto: 'Comunicaciones telefónicas' },
  { id: 'I07', persona: 'FM', regimenes: A, texto: 'Comunicaciones satelitales' },
  { id: 'I08', persona: 'FM', regimenes: A, texto: 'Otra maquinaria y equipo' },
  { id: 'D01', persona: 'F', regimenes: D, texto: 'Honorarios médicos, dentales y gastos hospitalarios' },
  { id: 'D02', persona: 'F', regimenes: D, texto: 'Gastos médicos por incapacidad o discapacidad' },
  { id: 'D03', persona: 'F', regimenes: D, texto: 'Gastos funerales' },
  { id: 'D04', persona: 'F', regimenes: D, texto: 'Donativos' },
  {
    id: 'D05',
    persona: 'F',
    regimenes: D,
    texto: 'Intereses reales efectivamente pagados por créditos hipotecarios (casa habitación)',
  },
  { id: 'D06', persona: 'F', regimenes: D, texto: 'Aportaciones voluntarias al SAR' },
  { id: 'D07', persona: 'F', regimenes: D, texto: 'Primas por seguros de gastos médicos' },
  { id: 'D08', persona: 'F', regimenes: D, texto: 'Gastos de transportación escolar obligatoria' },
  {
    id: 'D09',
    persona: 'F',
    regimenes: D,
    texto: 'Depósitos en cuentas para el ahorro, primas que tengan como base planes de pensiones',
  },
  { id: 'D10', persona: 'F', regimenes: D, texto: 'Pagos por servicios educativos (colegiaturas)' },
  { id: 'S01', persona: 'FM', regimenes: T, texto: 'Sin efectos fiscales' },
  { id: 'CP01', persona: 'FM', regimenes: T, texto: 'Pagos' },
  { id: 'CN01', persona: 'F', regimenes: ['605'], texto: 'Nómina' },
];

/** Payment forms. 99 goes only with PPD, which Trastienda never issues. */
export const FORMAS_PAGO: readonly Clave[] = [
  { id: '01', texto: 'Efectivo' },
  { id: '02', texto: 'Cheque nominativo' },
  { id: '03', texto: 'Transferencia electrónica de fondos' },
  { id: '04', texto: 'Tarjeta de crédito' },
  { id: '05', texto: 'Monedero electrónico' },
  { id: '06', texto: 'Dinero electrónico' },
  { id: '08', texto: 'Vales de despensa' },
  { id: '12', texto: 'Dación en pago' },
  { id: '13', texto: 'Pago por subrogación' },
  { id: '14', texto: 'Pago por consignación' },
  { id: '15', texto: 'Condonación' },
  { id: '17', texto: 'Compensación' },
  { id: '23', texto: 'Novación' },
  { id: '24', texto: 'Confusión' },
  { id: '25', texto: 'Remisión de deuda' },
  { id: '26', texto: 'Prescripción o caducidad' },
  { id: '27', texto: 'A satisfacción del acreedor' },
  { id: '28', texto: 'Tarjeta de débito' },
  { id: '29', texto: 'Tarjeta de servicios' },
  { id: '30', texto: 'Aplicación de anticipos' },
  { id: '31', texto: 'Intermediario pagos' },
  { id: '99', texto: 'Por definir' },
];

/** Units that a reseller meets. Any other key of c_ClaveUnidad is accepted and printed as its key. */
export const UNIDADES: readonly Clave[] = [
  { id: 'H87', texto: 'Pieza' },
  { id: 'E48', texto: 'Unidad de servicio' },
  { id: 'ACT', texto: 'Actividad' },
  { id: 'KT', texto: 'Kit' },
  { id: 'SET', texto: 'Conjunto' },
  { id: 'PR', texto: 'Par' },
  { id: 'MTR', texto: 'Metro' },
  { id: 'XPK', texto: 'Paquete' },
  { id: 'XBX', texto: 'Caja' },
  { id: 'XRO', texto: 'Rollo' },
  { id: 'HUR', texto: 'Hora' },
];

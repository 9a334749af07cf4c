import type { FilaDeRechazo } from '~/core/rechazo';

/** The refusals of factura.com in its own sentences. Those of the SAT go by their code (`explainPac`). */
export const RECHAZOS_FACTURACOM: readonly FilaDeRechazo[] = [
  {
    de: /no reconoce las llaves|cuenta que intenta autenticarse/i,
    campo: 'apiKey y secret',
    remedio: 'Copia otra vez las dos llaves de la cuenta en factura.com, en Desarrolladores, y guárdalas.',
  },
  {
    de: /la serie .*no (?:existe|est[aá] activa|corresponde)|la serie \S+ ya existe/i,
    campo: 'Serie',
    remedio: 'Elige otra serie en Configuración de tiendas, o actívala en factura.com.',
  },
  {
    de: /el cliente no existe/i,
    campo: 'Cliente',
    remedio: 'El cliente se borró en factura.com. Guarda otra vez sus datos fiscales.',
  },
  {
    de: /ya se encuentra cancelado|ya tiene una solicitud de cancelaci[oó]n/i,
    campo: 'Cancelación',
    remedio: 'La cancelación ya se pidió o ya se hizo. Actualiza la factura para ver en qué va.',
  },
  {
    de: /no es cancelable|rechaz[oó] la solicitud|cancelaci[oó]n en proceso|acuse de cancelaci[oó]n/i,
    campo: 'Cancelación',
    remedio: 'Abre la factura: dice en qué va su cancelación y qué falta.',
  },
  {
    de: /folio ?sustituto/i,
    campo: 'Factura que sustituye',
    remedio: 'Elige como sustituta una factura vigente que lleve la relación 04 con esta.',
  },
  {
    de: /el cfdi no existe/i,
    campo: 'CFDI',
    remedio: 'factura.com no lo tiene en esta cuenta. Revisa la cuenta vinculada y búscalo allá.',
  },
  {
    de: /campo motivo/i,
    campo: 'Motivo',
    remedio: 'Elige el motivo de la cancelación y pídela otra vez.',
  },
  {
    de: /tipo de documento|campo Conceptos/i,
    campo: null,
    remedio: 'factura.com no entendió el documento. Avisa a soporte con la respuesta.',
  },
];

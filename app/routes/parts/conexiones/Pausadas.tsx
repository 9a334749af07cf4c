import { QUE_SE_DETIENE } from '~/domain/cuentas/empresa';
import type { Pausada } from '~/domain/cuentas/empresas.server';
import { Panel } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';

type Props = {
  pausadas: (Omit<Pausada, 'pausedAt'> & { pausedAt: Date | string })[];
  area: string;
  /** Who may activate it: the rest are told whom to ask. */ puedeActivar: boolean;
};

/** The screens that do less while an integration is paused. The home and the screens where it is paused and linked tell of it by themselves. */
const DEPENDEN: Readonly<Record<string, readonly string[]>> = {
  facturacom: ['facturacion', 'facturacionGeneral', 'facturasClientes', 'datosFiscales'],
  mercadolibre: [
    'facturacion',
    'facturacionGeneral',
    'ordenes',
    'ordenesActivas',
    'ordenesCanceladas',
    'envios',
    'enviosPendientes',
    'cotizarEnvios',
    'enlaces',
  ],
};

export const dependeDe = (pantalla: string, conexion: string) => DEPENDEN[conexion]?.includes(pantalla) ?? false;

/** The integrations that somebody paused: what stands still meanwhile, and where they are activated. */
export function Pausadas({ pausadas, area, puedeActivar }: Props) {
  return pausadas.map(({ conexion, nombre, pausedAt, enEspera }) => (
    <Panel key={conexion} tono="aviso" titulo={`${nombre} está en pausa`}>
      Desde el <Fecha valor={pausedAt} />. {QUE_SE_DETIENE[conexion] ?? 'Lo que se le pida espera a que se active.'}
      {enEspera > 0 && ` ${enEspera === 1 ? 'Una solicitud está' : `${enEspera} solicitudes están`} en espera.`}{' '}
      {puedeActivar ? (
        <a href={`${area}/empresas?q=${encodeURIComponent(nombre)}`}>Activar en Empresas</a>
      ) : (
        'Un Super Usuario la activa en Empresas.'
      )}
    </Panel>
  ));
}

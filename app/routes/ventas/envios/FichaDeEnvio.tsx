import type { Wire } from '~/core/list';
import { useArea } from '~/access/useArea';
import type { EnvioAbierto } from '~/domain/ventas/envios/detalleEnvio.server';
import { useFichaOf } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import { ENVIO_AUSENTE } from './textos';

const { Part: EnvioFicha, anticipar } = perezoso('EnvioFicha', async () => ({
  default: (await import('./EnvioFicha')).EnvioFicha,
}));

/** The panel of a shipment, on the lists that show shipments. */
export function useFichaOfEnvio(lista: { lista: string; corte: string }, inicial: Wire<EnvioAbierto> | null) {
  const area = useArea();
  return useFichaOf({ lista, area, inicial, que: 'Envío', ausente: ENVIO_AUSENTE, Dentro: EnvioFicha, anticipar });
}

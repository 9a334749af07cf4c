import { useRef, useState } from 'react';
import { conError, mayConfirm, quedaEnBreve } from '~/domain/compras/pedidos/pedido';
import { Estatus } from '~/ui/Estatus';
import { Presencia } from '~/ui/ficha/Presencia';
import { EnOtroLugar } from '~/ui/lugar';
import { Pesos } from '~/ui/Pesos';
import type { AquiProps } from '~/routes/inicio/hoy/aqui';
import { Huesos, NoSeLeyo } from '~/routes/inicio/hoy/Huesos';
import { useAqui } from '~/routes/inicio/hoy/useAqui';
import { ConfirmarForm, dineroDe, formaOf, Hallazgos, isDetenido } from './Comprar';
import { awaitsFolio } from './acciones';
import { estadoOf, motivoOf, tonoOfEstado } from './estado';
import type { PedidoAbierto } from './record';

/** A pedido that waits to be confirmed, where it is told: what it costs and leaves, what speaks against it, and the form of 'Ordenes por confirmar'. */
export function PedidoAqui(props: AquiProps) {
  const { cosa, area } = props;
  const caja = useRef<HTMLDivElement>(null);
  const [escrito, escribir] = useState(false);
  const {
    ficha: pedido,
    ocupada,
    lugar,
    fallo,
    reintentar,
  } = useAqui<PedidoAbierto>(props, {
    ficha: `ordenesPorConfirmar/${cosa.id}`,
    pantalla: 'ordenesPorConfirmar',
    formId: formaOf(cosa.id),
    escrito,
    espera: (pedido) => {
      if (mayConfirm(pedido)) return pedido.puede && !isDetenido(pedido) ? 'aqui' : 'fuera';
      return conError(pedido) || (isOpen(pedido) && !awaitsFolio(pedido)) ? 'fuera' : 'hecha';
    },
    caja,
  });
  if (!pedido) return fallo ? <NoSeLeyo reintentar={reintentar} /> : <Huesos />;
  const { piezas } = pedido;
  const queda = quedaEnBreve(dineroDe(pedido));
  return (
    <div
      ref={caja}
      className="pedido-aqui"
      onInput={({ target }) => target instanceof HTMLInputElement && escribir(target.value.trim() !== '')}
    >
      <p className="nota">
        {piezas} {piezas === 1 ? 'pieza' : 'piezas'} · costo <Pesos valor={pedido.revision.costo} />
        {queda !== null && ` · queda ${queda}`}
        {ocupada && <Presencia que={`pedido:${pedido.id}`} url={`${area}/presencia`} />}
      </p>
      {pedido.puede && mayConfirm(pedido) ? (
        <EnOtroLugar.Provider value={lugar}>
          <Hallazgos revision={pedido.revision} />
          <div className="comprar">
            <ConfirmarForm key={pedido.version} pedido={pedido} />
          </div>
        </EnOtroLugar.Provider>
      ) : (
        <p>
          <Estatus tono={tonoOfEstado(pedido)}>{estadoOf(pedido)}</Estatus>{' '}
          {motivoOf(pedido) ?? (pedido.envio === null && 'Se confirma cuando su venta tenga envío.')}
        </p>
      )}
    </div>
  );
}

/** Waits for people, though nobody can confirm it now. */
const isOpen = ({ estado }: PedidoAbierto) => estado === 'borrador' || estado === 'solicitado' || estado === 'incierto';

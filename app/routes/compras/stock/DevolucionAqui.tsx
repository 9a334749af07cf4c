import { useRef, useState } from 'react';
import { Boton } from '~/ui/Boton';
import { EnOtroLugar } from '~/ui/lugar';
import type { AquiProps } from '~/routes/inicio/hoy/aqui';
import { Huesos, NoSeLeyo } from '~/routes/inicio/hoy/Huesos';
import { useAqui } from '~/routes/inicio/hoy/useAqui';
import { CrearForm } from './CrearForm';
import { EtiquetasDe } from './Imprimir';
import type { PorRecibirAbierta } from './record';

const formaOf = (ordenId: string) => `crear-${ordenId}`;
/** The queue names the article by its address. A piece of ours that comes back has an address of its own, and is seen to there. */
const articuloOf = (a: string) => /^devoluciones\?orden=.*&articulo=(\d+)$/.exec(a)?.[1];

/** A return that arrives, received where it is told: the form of 'Devoluciones', and then its labels. */
export function DevolucionAqui(props: AquiProps) {
  const { cosa, area, alPasar } = props;
  const caja = useRef<HTMLDivElement>(null);
  const [escrito, escribir] = useState(false);
  const articulo = articuloOf(cosa.a);
  const { ficha, lugar, hecho, fallo, reintentar } = useAqui<PorRecibirAbierta>(props, {
    ficha: `devoluciones/${cosa.id}?articulo=${articulo ?? 0}`,
    pantalla: 'devoluciones',
    formId: formaOf(cosa.id),
    escrito,
    espera: () => (articulo === undefined ? 'fuera' : 'aqui'),
    caja,
    queda: true,
  });
  // The key of this form: sending twice creates once.
  const clave = useRef<string>();
  if (ficha) clave.current ??= ficha.clave;
  if (!ficha || articulo === undefined) return fallo ? <NoSeLeyo reintentar={reintentar} /> : <Huesos />;
  if (hecho)
    return (
      <div ref={caja} className="devolucion-aqui">
        <p role="status">La devolución quedó registrada.</p>
        <EtiquetasDe area={area} cuales={{ alta: clave.current! }} className="apilado">
          <div className="botones">
            <Boton onClick={alPasar}>Siguiente devolución</Boton>
            <Boton tono="acento" type="submit">
              Imprimir etiqueta
            </Boton>
          </div>
        </EtiquetasDe>
      </div>
    );
  return (
    <div ref={caja} className="devolucion-aqui" onInput={() => escribir(true)}>
      <EnOtroLugar.Provider value={lugar}>
        <CrearForm
          breve
          id={formaOf(cosa.id)}
          deQue={ficha.deQue}
          nueva={clave.current!}
          estados={ficha.estados}
          proveedores={ficha.proveedores}
        />
      </EnOtroLugar.Provider>
    </div>
  );
}

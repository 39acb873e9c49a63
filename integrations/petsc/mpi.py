"""mpi.py: runs mpirun; environments for the programs that it starts.

    run(words, seconds, ...)
    ENVIRONMENT    one thread a rank; root may run mpirun, as in containers
    CROWDED        also more ranks than cores, and ranks that wait leave their core to others: for
                   tests, since such ranks are slower
"""
import os
import subprocess

# Libraries below PETSc may use OpenMP.
ENVIRONMENT = {
    **os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}
CROWDED = {
    **ENVIRONMENT, "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    # What containers often forbid or lack: without a network, Open MPI 5 prints an error of TCP.
    # The search for fabrics by ofi and openib takes a second of each start, and finds none here.
    "OMPI_MCA_btl": "^tcp,ofi,openib",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_btl_base_warn_component_unused": "0", "OMPI_MCA_pml": "ob1", "OMPI_MCA_osc": "^ucx",
    "OMPI_MCA_ess_singleton_isolated": "1",
}


def run(words, seconds, **options):
    """As subprocess.run(words, timeout=seconds, text=True, capture_output=True), but no rank goes
    on after a time-out: mpirun ends its ranks if it is terminated, but cannot if it is killed."""
    with subprocess.Popen(words, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
        except BaseException:
            process.terminate()
            try:
                process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    return subprocess.CompletedProcess(words, process.returncode, output, errors)

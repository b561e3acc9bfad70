namespace IoBench.Engine;

/// <summary>All latencies of a thread, a target, or a run. Percentiles, totals, and live values are based on them.</summary>
internal sealed class LatencyDistributions
{
    public LatencyDistributions(bool reads = true, bool writes = true, bool isOpenLoop = true, bool flushes = true)
    {
        Flushes = flushes ? new LatencyHistogram() : null;
        Service = new ReadWriteHistograms(reads, writes);
        Response = isOpenLoop ? new ResponseTimes(reads, writes) : null;
    }

    /// <summary>Times from start to completion of the I/Os that completed in the measured time.</summary>
    public ReadWriteHistograms Service { get; }

    /// <summary>Times from the scheduled start of the I/Os that were due in the measured time; null in a closed loop.</summary>
    public ResponseTimes? Response { get; }

    public LatencyHistogram? Flushes { get; }

    /// <summary>Latencies that users see: response times if there are any, otherwise service times.</summary>
    public ReadWriteHistograms Reported => Response is { DueCount: > 0 } response ? response.Latencies : Service;

    public void Add(LatencyDistributions other)
    {
        Service.Add(other.Service);
        if (other.Response is not null)
            Response?.Add(other.Response);
        if (other.Flushes is not null)
            Flushes?.Add(other.Flushes);
    }
}

namespace IoBench.Engine.Measurement;

/// <summary>
/// All latencies of a thread, a target or a run: service times (from the start of an I/O), an open loop's response times (from the moment
/// it was due), and flushes. Percentiles, totals and live figures all come from here.
/// </summary>
internal sealed class Distributions
{
    /// <summary>Empty ones, for what can happen only.</summary>
    public Distributions(bool reads = true, bool writes = true, bool isOpenLoop = true, bool flushes = true)
    {
        Flushes = flushes ? new LatencyHistogram() : null;
        Service = new ReadWriteHistograms(reads, writes);
        Response = isOpenLoop ? new ResponseTimes(reads, writes) : null;
    }

    /// <summary>Times from the start to the end of the I/Os that ended in the measured time.</summary>
    public ReadWriteHistograms Service { get; }

    /// <summary>Times from the due moment of the I/Os that were due in the measured time; null in a closed loop.</summary>
    public ResponseTimes? Response { get; }

    /// <summary>Times of flushes; null when there can be none.</summary>
    public LatencyHistogram? Flushes { get; }

    /// <summary>What a reader is shown: response times where there are any, else service times.</summary>
    public ReadWriteHistograms Shown => Response is { DueCount: > 0 } response ? response.Latencies : Service;

    /// <summary>Adds those of another thread or target.</summary>
    public void Add(Distributions other)
    {
        Service.Add(other.Service);
        if (other.Response is not null)
            Response?.Add(other.Response);
        if (other.Flushes is not null)
            Flushes?.Add(other.Flushes);
    }
}

namespace IoBench.Engine;

/// <summary>Rates of about the last second. The coordinator updates them, and any thread can read them.</summary>
internal sealed class LiveRates(Worker[] workers)
{
    // Ten samples per second, so that the oldest is about a second old.
    private const int SampleCount = 10;
    private readonly (long Moment, long IOs, long Bytes)[] _samples = new (long, long, long)[SampleCount];
    private int _count;
    private double _iops;
    private double _bytes;

    public double Iops => Volatile.Read(ref _iops);

    public double BytesPerSecond => Volatile.Read(ref _bytes);

    /// <summary>Takes a sample if the last one is at least 100 ms old.</summary>
    public void Update(long now)
    {
        var newest = _samples[(_count + SampleCount - 1) % SampleCount];
        if (_count > 0 && now - newest.Moment < Clock.Second / SampleCount)
            return;
        long ios = 0,
            bytes = 0;
        foreach (var worker in workers)
        {
            ios += Volatile.Read(ref worker.Counters.IOs);
            bytes += Volatile.Read(ref worker.Counters.Bytes);
        }
        var oldest = _count >= SampleCount ? _samples[_count % SampleCount] : _samples[0];
        _samples[_count % SampleCount] = (now, ios, bytes);
        _count++;
        if (_count == 1 || now <= oldest.Moment)
            return;
        var seconds = (now - oldest.Moment) / (double)Clock.Second;
        Volatile.Write(ref _iops, (ios - oldest.IOs) / seconds);
        Volatile.Write(ref _bytes, (bytes - oldest.Bytes) / seconds);
    }
}

using IoBench.Engine;

namespace IoBench.Application.Tests;

public enum ModeledFault
{
    /// <summary>Pending and new I/Os complete at the end of the fault.</summary>
    Hang,

    /// <summary>Every I/O fails.</summary>
    Errors,

    /// <summary>The file is gone. The open handle stays invalid, and the name refers to the file again at the end of the fault.</summary>
    Vanish,

    /// <summary>Every fifth I/O fails.</summary>
    SomeErrors,

    /// <summary>The first half is a hang, the second half are errors.</summary>
    HangThenErrors,
}

internal sealed class ModeledDisk(
    VirtualClock clock,
    IReadOnlyList<(ModeledFault Fault, double From, double To)> windows,
    double serviceMs = 0.5
) : IReopenableTarget
{
    private const int Eio = 5,
        Enodev = 19,
        ProofReads = 16;
    private readonly long _begin = clock.Now;
    private int _generation;
    private readonly List<(long Offset, long Began, long Ended)> _reads = [];

    public long Size => 64 << 20;

    public DrillVerification? Verification => null;

    /// <summary>The name refers to another file after the fault.</summary>
    public bool ReturnsAsOtherFile { get; init; }

    /// <summary>Seconds of a period in which the host does not run the drill; the disk continues.</summary>
    public (double From, double To)? HostPause { get; set; }

    private (long Begin, long End)? _gap;

    public (long Begin, long End)? TakeGap(long now)
    {
        var gap = _gap;
        _gap = null;
        return gap;
    }

    public OpenDrillFile Open() => new(new DiskBackend(this, _generation), 64, 8192);

    /// <summary>Milliseconds between two checks of the name, and of each of the 16 verification reads.</summary>
    public (double Look, double Read) VerificationTimes { get; init; }

    public DrillReopenResult? TryReopen(bool trySame)
    {
        if (_reads.Count == 0)
            return TryFindFile();
        if (clock.Now < _reads[^1].Ended)
            return null;
        (long Offset, long Began, long Ended)[] reads = [.. _reads];
        _reads.Clear();
        _generation = CountVanished(clock.Now);
        return new(Open(), DrillTargetReason.Proved) { Reads = reads };
    }

    private DrillReopenResult? TryFindFile()
    {
        if (FindFault(clock.Now) is { Fault: ModeledFault.Vanish })
            return new(null, DrillTargetReason.Gone);
        if (CountVanished(clock.Now) <= _generation)
            return new(null, DrillTargetReason.Same);
        if (ReturnsAsOtherFile)
            return new(null, DrillTargetReason.Unmarked);
        for (var (i, at) = (0, clock.Now + (long)(VerificationTimes.Look * 1e6)); i < ProofReads; i++, at = _reads[^1].Ended)
            _reads.Add((i * 4096, at, at + (long)(VerificationTimes.Read * 1e6)));
        return TryReopen(trySame: false);
    }

    public void CancelReopening() { }

    private void SkipHostPause()
    {
        if (HostPause is not { } pause || clock.Now < ToTimestamp(pause.From))
            return;
        _gap = (clock.Now, ToTimestamp(pause.To));
        clock.Now = ToTimestamp(pause.To);
        HostPause = null;
    }

    private double ToSeconds(long moment) => (moment - _begin) / 1e9;

    private long ToTimestamp(double seconds) => _begin + (long)(seconds * 1e9);

    private (ModeledFault Fault, double From, double To)? FindFault(long moment) =>
        windows
            .Where(window => ToSeconds(moment) >= window.From && ToSeconds(moment) < window.To)
            .Select(window => ((ModeledFault, double, double)?)window)
            .FirstOrDefault();

    private int CountVanished(long moment) =>
        windows.Count(window => window.Fault == ModeledFault.Vanish && ToSeconds(moment) >= window.From);

    private (long Ended, int Error) CompleteIO(long started, int generation, int number)
    {
        var end = started + (long)(serviceMs * 1e6);
        if (CountVanished(end) > generation)
            return (end, Enodev);
        if (FindFault(end) is not { } window)
            return (end, 0);
        var half = window.Fault == ModeledFault.HangThenErrors ? (window.From + window.To) / 2 : window.To;
        return window.Fault switch
        {
            ModeledFault.Hang => (ToTimestamp(window.To) + 500_000, 0),
            ModeledFault.HangThenErrors when ToSeconds(end) < half => (ToTimestamp(half) + 500_000, Eio),
            ModeledFault.SomeErrors when number % 5 != 0 => (end, 0),
            _ => (end, Eio),
        };
    }

    private sealed unsafe class DiskBackend(ModeledDisk disk, int generation) : IoBackend
    {
        private readonly PriorityQueue<(int Slot, int Error), long> _due = new();
        private IoSlot* _slots;
        private int _number;

        public override BackendDescriptor Kind => NullBackend.Descriptor;

        public override void Open(BackendSetup setup) => _slots = setup.Slots;

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
        {
            for (var i = 0; i < count; i++)
            {
                var (ended, error) = disk.CompleteIO(_slots[ready[i]].Started, generation, _number++);
                _due.Enqueue((ready[i], error), ended);
            }
            var next = _due.TryPeek(out _, out var first) ? Math.Min(first, until) : until;
            if (next > disk.Clock.Now)
                disk.Clock.Now = next;
            disk.SkipHostPause();
            var got = 0;
            while (_due.TryPeek(out var io, out var due) && due <= disk.Clock.Now)
            {
                _due.Dequeue();
                completions[got++] = new IoCompletion { Slot = io.Slot, Result = io.Error == 0 ? _slots[io.Slot].Length : -io.Error };
            }
            return got;
        }

        public override void Close() { }
    }

    private VirtualClock Clock => clock;
}

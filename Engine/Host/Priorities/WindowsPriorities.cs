using static IoBench.Engine.Interop.Windows.WindowsCalls;

namespace IoBench.Engine.Host.Priorities;

/// <summary>
/// Sees that a run is made at normal priority, and gives the process back as it was. Task Scheduler starts its tasks at priority 7: class below normal, low I/O,
/// lower memory (<see href="https://learn.microsoft.com/windows/win32/taskschd/taskschedulerschema-priority-settingstype-element"/>). Windows also lowers the clock and
/// passes over requests for fine timers by rules of its own, unless a process decides that for itself
/// (<see href="https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-setprocessinformation"/>): for a run both are off, and heeded.
/// </summary>
internal sealed class WindowsPriorities : IDisposable
{
    private static readonly (PriorityKind Kind, int Normal)[] s_normal =
    [
        (PriorityKind.Class, (int)NORMAL_PRIORITY_CLASS),
        (PriorityKind.Io, IoPriorityNormal),
        (PriorityKind.Memory, MEMORY_PRIORITY_NORMAL),
    ];

    // Before Windows 11 there is no say about timers.
    private static readonly Throttling[] s_fullSpeed =
    [
        new(PROCESS_POWER_THROTTLING_EXECUTION_SPEED | PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION, 0),
        new(PROCESS_POWER_THROTTLING_EXECUTION_SPEED, 0),
    ];

    private static readonly object s_lock = new();
    private static WindowsPriorities? s_held;

    private readonly IPriorityCalls _calls;
    private int _holders;
    private readonly List<(PriorityKind Kind, int Was)> _raised = [];

    private Throttling? _throttling;

    private WindowsPriorities(IPriorityCalls calls) => _calls = calls;

    /// <summary>What a reader of the figures must know; null when all was normal.</summary>
    public IoWarning? Warning { get; private init; }

    /// <summary>Raises what is below normal; null on other systems, where only an administrator may.</summary>
    /// <remarks>Runs beside each other in one process share it: the last one to end gives the process back.</remarks>
    public static WindowsPriorities? Raise()
    {
        if (!OperatingSystem.IsWindows())
            return null;
        // The facts are to say how the process was started.
        _ = HostFacts.All;
        lock (s_lock)
        {
            s_held ??= Raise(new WindowsPriorityCalls());
            s_held._holders++;
            return s_held;
        }
    }

    /// <summary>The same over other calls.</summary>
    internal static WindowsPriorities Raise(IPriorityCalls calls)
    {
        var before = Describe(calls);
        var raised = new List<(PriorityKind Kind, int Was)>();
        var refused = false;
        foreach (var (kind, normal) in s_normal)
        {
            if (calls.Get(kind) is not { } value || !IsLow(kind, value))
                continue;
            if (calls.Set(kind, normal))
                raised.Add((kind, value));
            else
                refused = true;
        }
        var throttling = calls.GetThrottling();
        var isFree = throttling is not null && Array.Exists(s_fullSpeed, calls.SetThrottling);
        refused |= !isFree && throttling is { State: not 0 };
        var priorities = new WindowsPriorities(calls)
        {
            Warning =
                before.IsLow != true
                    ? null
                    : new IoWarning(
                        WarningCodes.LowPriority,
                        refused
                            ? $"this process runs below normal priority ({before.Text}), and Windows does not let it raise itself: figures are lower than those of a test at normal priority. {ProcessPriority.Advice}."
                            : (IoText)
                                $"this process was started below normal priority ({before.Text}): it was set to normal for the test. {ProcessPriority.Advice}."
                    ),
        };
        priorities._raised.AddRange(raised);
        priorities._throttling = isFree ? throttling : null;
        return priorities;
    }

    /// <summary>As the system says it is now.</summary>
    internal static ProcessPriority Describe(IPriorityCalls calls)
    {
        var found = s_normal.Select(n => (n.Kind, Value: calls.Get(n.Kind))).ToArray();
        // Power throttling is newer than the others, and rare: what is not said of it is nothing to doubt.
        var isSaving = calls.GetThrottling() is { State: not 0 };
        var isLow = isSaving || found.Any(f => f.Value is { } value && IsLow(f.Kind, value));
        return new(
            string.Join(", ", found.Select(f => Words(f.Kind, f.Value))) + (isSaving ? ", power saving on" : ""),
            isLow ? true
                : found.Any(f => f.Value is null) ? null
                : false
        );
    }

    /// <summary>Gives the process back as it was: it may be somebody's PowerShell.</summary>
    public void Dispose()
    {
        lock (s_lock)
        {
            if (--_holders > 0)
                return;
            foreach (var (kind, was) in _raised)
                _ = _calls.Set(kind, was);
            _raised.Clear();
            if (_throttling is { } throttling)
                _ = _calls.SetThrottling(throttling);
            _throttling = null;
            if (s_held == this)
                s_held = null;
        }
    }

    private static bool IsLow(PriorityKind kind, int value) =>
        kind switch
        {
            PriorityKind.Class => (uint)value is IDLE_PRIORITY_CLASS or BELOW_NORMAL_PRIORITY_CLASS,
            PriorityKind.Io => value < IoPriorityNormal,
            _ => value < MEMORY_PRIORITY_NORMAL,
        };

    private static string Words(PriorityKind kind, int? value) =>
        kind switch
        {
            PriorityKind.Class => "class "
                + (
                    (uint?)value switch
                    {
                        null => "unknown",
                        IDLE_PRIORITY_CLASS => "idle",
                        BELOW_NORMAL_PRIORITY_CLASS => "below normal",
                        NORMAL_PRIORITY_CLASS => "normal",
                        _ => "above normal",
                    }
                ),
            PriorityKind.Io => "I/O " + Level(kind, value),
            _ => "memory " + Level(kind, value),
        };

    private static string Level(PriorityKind kind, int? value) =>
        value is not { } known ? "unknown"
        : IsLow(kind, known) ? "low"
        : "normal";
}

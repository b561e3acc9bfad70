using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>
/// Raises the process to normal priority for a run and restores it afterwards. Task Scheduler starts tasks with class below normal, low
/// I/O, and lower memory priority
/// (<see href="https://learn.microsoft.com/windows/win32/taskschd/taskschedulerschema-priority-settingstype-element"/>). Windows can also
/// lower the CPU frequency and ignore requests for a fine timer resolution, unless the process opts out
/// (<see href="https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-setprocessinformation"/>).
/// </summary>
internal sealed class WindowsPriorityScope : IDisposable
{
    private static readonly (ProcessPriorityProperty Kind, int Normal)[] s_normal =
    [
        (ProcessPriorityProperty.Class, (int)NORMAL_PRIORITY_CLASS),
        (ProcessPriorityProperty.Io, IoPriorityNormal),
        (ProcessPriorityProperty.Memory, MEMORY_PRIORITY_NORMAL),
    ];

    // Windows versions before Windows 11 do not know the timer resolution bit.
    private static readonly (uint Control, uint State)[] s_fullSpeed =
    [
        (PROCESS_POWER_THROTTLING_EXECUTION_SPEED | PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION, 0),
        (PROCESS_POWER_THROTTLING_EXECUTION_SPEED, 0),
    ];

    private static readonly object s_lock = new();
    private static WindowsPriorityScope? s_held;

    private readonly IPriorityCalls _calls;
    private int _holders;
    private readonly List<(ProcessPriorityProperty Kind, int Was)> _raised = [];

    private (uint Control, uint State)? _throttling;

    private WindowsPriorityScope(IPriorityCalls calls) => _calls = calls;

    public IoWarning? Warning { get; private init; }

    /// <summary>Null on other systems, because only an administrator can raise a priority there.</summary>
    /// <remarks>Concurrent runs in one process share the scope. The last one restores the priorities.</remarks>
    public static WindowsPriorityScope? Raise()
    {
        if (!OperatingSystem.IsWindows())
            return null;
        // Collect the host facts first, because they record the priority at startup.
        _ = HostFacts.All;
        lock (s_lock)
        {
            s_held ??= Raise(new WindowsPriorityCalls());
            s_held._holders++;
            return s_held;
        }
    }

    internal static WindowsPriorityScope Raise(IPriorityCalls calls)
    {
        var before = Describe(calls);
        var raised = new List<(ProcessPriorityProperty Kind, int Was)>();
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
        refused |= !isFree && throttling is (_, not 0);
        var priorities = new WindowsPriorityScope(calls) { Warning = before.IsLow == true ? CreateWarning(before, refused) : null };
        priorities._raised.AddRange(raised);
        priorities._throttling = isFree ? throttling : null;
        return priorities;
    }

    private static IoWarning CreateWarning(ProcessPriority before, bool refused)
    {
        IoMessage text;
        if (refused)
            text =
                $"This process runs below normal priority ({before.Text}), and Windows does not allow a higher priority, so results are lower than with normal priority. {ProcessPriority.Advice}.";
        else
            text =
                $"This process was started below normal priority ({before.Text}). IoBench set it to normal for the test. {ProcessPriority.Advice}.";
        return new IoWarning(WarningCodes.LowPriority, text);
    }

    internal static ProcessPriority Describe(IPriorityCalls calls)
    {
        var found = s_normal.Select(n => (n.Kind, Value: calls.Get(n.Kind))).ToArray();
        // Power throttling is newer than the priorities and rare. If Windows does not report it, assume that it is off.
        var isSaving = calls.GetThrottling() is (_, not 0);
        var isLow = isSaving || found.Any(f => f.Value is { } value && IsLow(f.Kind, value));
        var isUnknown = !isLow && found.Any(f => f.Value is null);
        var text = string.Join(", ", found.Select(f => DescribeKind(f.Kind, f.Value))) + (isSaving ? ", power saving on" : "");
        return new(text, isUnknown ? null : isLow);
    }

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

    private static bool IsLow(ProcessPriorityProperty kind, int value) =>
        kind switch
        {
            ProcessPriorityProperty.Class => (uint)value is IDLE_PRIORITY_CLASS or BELOW_NORMAL_PRIORITY_CLASS,
            ProcessPriorityProperty.Io => value < IoPriorityNormal,
            _ => value < MEMORY_PRIORITY_NORMAL,
        };

    private static string DescribeKind(ProcessPriorityProperty kind, int? value) =>
        kind switch
        {
            ProcessPriorityProperty.Class => "class "
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
            ProcessPriorityProperty.Io => "I/O " + DescribeLevel(kind, value),
            _ => "memory " + DescribeLevel(kind, value),
        };

    private static string DescribeLevel(ProcessPriorityProperty kind, int? value) =>
        value is not { } known ? "unknown"
        : IsLow(kind, known) ? "low"
        : "normal";
}

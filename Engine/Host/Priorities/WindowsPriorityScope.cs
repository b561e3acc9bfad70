using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>
/// Raises the process to normal priority for a run and restores it afterwards. Task Scheduler starts tasks with class below normal, low
/// I/O, and lower memory priority
/// (<see href="https://learn.microsoft.com/windows/win32/taskschd/taskschedulerschema-priority-settingstype-element"/>). Windows can also
/// lower the CPU frequency and ignore requests for a fine timer resolution, unless the process opts out
/// (<see href="https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-setprocessinformation"/>).
/// Older versions of Windows and Wine lack some of the calls; those priorities are unknown and stay unchanged.
/// </summary>
internal unsafe class WindowsPriorityScope : IDisposable
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

    private int _holders;
    private readonly List<(ProcessPriorityProperty Kind, int Was)> _raised = [];

    private (uint Control, uint State)? _throttling;

    public IoWarning? Warning { get; private set; }

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
            s_held ??= new WindowsPriorityScope().RaiseToNormal();
            s_held._holders++;
            return s_held;
        }
    }

    internal WindowsPriorityScope RaiseToNormal()
    {
        var before = Describe();
        var refused = false;
        foreach (var (kind, normal) in s_normal)
        {
            if (Get(kind) is not { } value || !IsLow(kind, value))
                continue;
            if (Set(kind, normal))
                _raised.Add((kind, value));
            else
                refused = true;
        }
        var throttling = GetThrottling();
        var isFree = throttling is not null && Array.Exists(s_fullSpeed, SetThrottling);
        refused |= !isFree && throttling is (_, not 0);
        Warning = before.IsLow == true ? CreateWarning(before, refused) : null;
        _throttling = isFree ? throttling : null;
        return this;
    }

    private static IoWarning CreateWarning(ProcessPriority before, bool refused)
    {
        IoMessage text;
        if (refused)
            text =
                $"This process runs below normal priority ({before.Text}), and Windows does not allow a higher priority. Results are worse than at normal priority. {ProcessPriority.Advice}.";
        else
            text =
                $"This process was started below normal priority ({before.Text}). IoBench set it to normal for the test. {ProcessPriority.Advice}.";
        return new IoWarning(WarningCodes.LowPriority, text);
    }

    internal ProcessPriority Describe()
    {
        var found = s_normal.Select(n => (n.Kind, Value: Get(n.Kind))).ToArray();
        // Power throttling is newer than the priorities and rare. If Windows does not report it, assume that it is off.
        var isSaving = GetThrottling() is (_, not 0);
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
                _ = Set(kind, was);
            _raised.Clear();
            if (_throttling is { } throttling)
                _ = SetThrottling(throttling);
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

    /// <summary>Returns the current value; null if this version of Windows does not report it.</summary>
    internal virtual int? Get(ProcessPriorityProperty kind)
    {
        var process = GetCurrentProcess();
        int value;
        try
        {
            return kind switch
            {
                ProcessPriorityProperty.Class => GetPriorityClass(process) is var found and not 0 ? (int)found : null,
                ProcessPriorityProperty.Io => NtQueryInformationProcess(process, ProcessIoPriority, &value, sizeof(int), null) == 0
                    ? value
                    : null,
                _ => GetProcessInformation(process, ProcessMemoryPriority, &value, sizeof(int)) ? value : null,
            };
        }
        catch (EntryPointNotFoundException)
        {
            return null;
        }
    }

    internal virtual bool Set(ProcessPriorityProperty kind, int value)
    {
        var process = GetCurrentProcess();
        try
        {
            return kind switch
            {
                ProcessPriorityProperty.Class => SetPriorityClass(process, (uint)value),
                ProcessPriorityProperty.Io => NtSetInformationProcess(process, ProcessIoPriority, &value, sizeof(int)) == 0,
                _ => SetProcessInformation(process, ProcessMemoryPriority, &value, sizeof(int)),
            };
        }
        catch (EntryPointNotFoundException)
        {
            return false;
        }
    }

    /// <summary>Windows decides about the bits that Control does not contain. Null if this version of Windows does not report
    /// them.</summary>
    internal virtual (uint Control, uint State)? GetThrottling()
    {
        try
        {
            var state = new PowerThrottling { Version = PROCESS_POWER_THROTTLING_CURRENT_VERSION };
            return GetProcessInformation(GetCurrentProcess(), ProcessPowerThrottling, &state, (uint)sizeof(PowerThrottling))
                ? (state.ControlMask, state.StateMask)
                : null;
        }
        catch (EntryPointNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Sets the state. Returns false if Windows refuses, for example because it does not know a bit.</summary>
    internal virtual bool SetThrottling((uint Control, uint State) throttling)
    {
        try
        {
            var state = new PowerThrottling
            {
                Version = PROCESS_POWER_THROTTLING_CURRENT_VERSION,
                ControlMask = throttling.Control,
                StateMask = throttling.State,
            };
            return SetProcessInformation(GetCurrentProcess(), ProcessPowerThrottling, &state, (uint)sizeof(PowerThrottling));
        }
        catch (EntryPointNotFoundException)
        {
            return false;
        }
    }
}

internal enum ProcessPriorityProperty
{
    Class,
    Io,
    Memory,
}

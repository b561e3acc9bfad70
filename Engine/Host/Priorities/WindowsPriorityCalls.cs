using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>The calls themselves. Older versions of Windows and Wine lack some: those priorities are unknown there, and as they were.</summary>
internal sealed unsafe class WindowsPriorityCalls : IPriorityCalls
{
    /// <inheritdoc/>
    public int? Get(PriorityKind kind)
    {
        var process = GetCurrentProcess();
        int value;
        try
        {
            switch (kind)
            {
                case PriorityKind.Class:
                    return GetPriorityClass(process) is var found and not 0 ? (int)found : null;
                case PriorityKind.Io:
                    return NtQueryInformationProcess(process, ProcessIoPriority, &value, sizeof(int), null) == 0 ? value : null;
                case PriorityKind.Memory:
                    return GetProcessInformation(process, ProcessMemoryPriority, &value, sizeof(int)) ? value : null;
                default:
                    var state = new PowerThrottling { Version = PROCESS_POWER_THROTTLING_CURRENT_VERSION };
                    return GetProcessInformation(process, ProcessPowerThrottling, &state, (uint)sizeof(PowerThrottling)) ? (int)state.StateMask : null;
            }
        }
        catch (EntryPointNotFoundException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public bool Set(PriorityKind kind, int value)
    {
        var process = GetCurrentProcess();
        try
        {
            return kind switch
            {
                PriorityKind.Class => SetPriorityClass(process, (uint)value),
                PriorityKind.Io => NtSetInformationProcess(process, ProcessIoPriority, &value, sizeof(int)) == 0,
                PriorityKind.Memory => SetProcessInformation(process, ProcessMemoryPriority, &value, sizeof(int)),
                // Before Windows 11 there is no say about timers.
                _ => Throttle(process, PROCESS_POWER_THROTTLING_EXECUTION_SPEED | PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION, (uint)value)
                    || Throttle(process, PROCESS_POWER_THROTTLING_EXECUTION_SPEED, (uint)value),
            };
        }
        catch (EntryPointNotFoundException)
        {
            return false;
        }
    }

    private static bool Throttle(nint process, uint mask, uint value)
    {
        var state = new PowerThrottling { Version = PROCESS_POWER_THROTTLING_CURRENT_VERSION, ControlMask = mask, StateMask = value & mask };
        return SetProcessInformation(process, ProcessPowerThrottling, &state, (uint)sizeof(PowerThrottling));
    }
}

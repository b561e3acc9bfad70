using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>Windows calls. Older versions of Windows and Wine lack some of them; those priorities are unknown and stay unchanged.</summary>
internal sealed unsafe class WindowsPriorityCalls : IPriorityCalls
{
    public int? Get(ProcessPriorityProperty kind)
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

    public bool Set(ProcessPriorityProperty kind, int value)
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

    public (uint Control, uint State)? GetThrottling()
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

    public bool SetThrottling((uint Control, uint State) throttling)
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

internal interface IPriorityCalls
{
    /// <summary>Returns the current value; null if this version of Windows does not report it.</summary>
    int? Get(ProcessPriorityProperty kind);

    bool Set(ProcessPriorityProperty kind, int value);

    /// <summary>Windows decides about the bits that Control does not contain. Null if this version of Windows does not report them.</summary>
    (uint Control, uint State)? GetThrottling();

    /// <summary>Sets the state. Returns false if Windows refuses, for example because it does not know a bit.</summary>
    bool SetThrottling((uint Control, uint State) throttling);
}

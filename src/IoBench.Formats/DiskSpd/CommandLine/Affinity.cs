namespace IoBench.Formats.DiskSpd.CommandLine;

/// <summary>The list behind -a: <c>0,1</c> or <c>g0,0,1,g1,0,1</c>; nothing or <c>g</c> stands for the default, all processors in turn.</summary>
internal static class Affinity
{
    /// <summary>Adds the processors of a list.</summary>
    internal static void Take(string value, List<int> processors)
    {
        if (value is "" or "g")
            return;
        var group = 0;
        var hasProcessor = false;
        foreach (var item in value.Split(','))
        {
            var isGroup = item.StartsWith('g');
            var number = CallText.Number(item.AsSpan(isGroup ? 1 : 0), out var isPlain);
            if (!isPlain || number < 0)
                throw CallText.Wrong($"-a{value}: processors are numbers with commas between them, groups have a g: -a0,1 or -ag0,0,1,g1,0,1.");
            hasProcessor = !isGroup;
            if (isGroup)
                group = number <= ushort.MaxValue ? number : throw CallText.Wrong($"-a{value}: group {number} is beyond 65535.");
            else if (number >= ProcessorNumber.PerGroup)
                throw CallText.Wrong($"-a{value}: processor {number}: a group has at most {ProcessorNumber.PerGroup} processors, 0 to {ProcessorNumber.PerGroup - 1}.");
            else
                processors.Add(ProcessorNumber.Of(group, number));
        }
        if (!hasProcessor)
            throw CallText.Wrong($"-a{value}: a processor must follow the last group.");
    }
}

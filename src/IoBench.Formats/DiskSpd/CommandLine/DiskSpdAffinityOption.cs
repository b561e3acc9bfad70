using static IoBench.Formats.DiskSpdCommandLine;

namespace IoBench.Formats;

/// <summary>The value of -a: <c>0,1</c>, <c>g0,0,1,g1,0,1</c>, and from 2.3 ranges, groups (<c>g1</c>), and orders (<c>up</c>).</summary>
internal sealed class DiskSpdAffinityOption(DiskSpdOptions output)
{
    private const int MaxGroup = 63;
    private bool _hasOrder;

    internal List<int> Processors { get; } = [];

    internal bool IsGiven { get; private set; }

    private DiskSpd23Options Version23 => output.Version23 ??= new DiskSpd23Options();

    internal void ParseValue(string value)
    {
        if (value is "" or "g")
            return;
        IsGiven = true;
        if (value[0] == 'u')
            ParseUnordered(value);
        else if (char.IsAsciiLetter(value[0]) && value[0] != 'g')
            ParseOrder(value);
        else if (value[0] == 'g' && !value.Contains(',', StringComparison.Ordinal))
            Version23.WholeGroups |= 1UL << ParseGroup(value, value);
        else
            ParseList(value);
    }

    private void ParseUnordered(string value)
    {
        ThrowIf(value != "up", $"-a{value}: only p can follow -au (CPUs in numerical order)");
        ThrowIf(_hasOrder, "-aup cannot be combined with another CPU order (-ap, -aP, -ae, -aE, -aup)");
        _hasOrder = true;
        Version23.CoreOrder = DiskSpdCoreOrder.Unordered;
    }

    private void ParseOrder(string value)
    {
        foreach (var letter in value)
        {
            switch (letter)
            {
                case 'c':
                    Version23.IsCoreAware = true;
                    break;
                case 's':
                    Version23.SpansGroups = true;
                    break;
                case 'p' or 'P' or 'e' or 'E':
                    ThrowIf(_hasOrder, $"-a{value}: specify the order of P-cores and E-cores (p, P, e, E, -aup) only once");
                    _hasOrder = true;
                    Version23.CoreOrder = letter switch
                    {
                        'p' => DiskSpdCoreOrder.PFirst,
                        'P' => DiskSpdCoreOrder.FillPFirst,
                        'e' => DiskSpdCoreOrder.EFirst,
                        _ => DiskSpdCoreOrder.FillEFirst,
                    };
                    break;
                default:
                    throw CreateInvalidError(
                        $"-a{value}: '{letter}' is not one of c, s, p, P, e, and E, which select the order of the CPUs."
                    );
            }
        }
    }

    private void ParseList(string value)
    {
        var group = 0;
        var hasProcessor = false;
        var hasRange = false;
        foreach (var item in value.Split(','))
        {
            hasProcessor = !item.StartsWith('g');
            if (!hasProcessor)
            {
                group = ParseGroup(item, value);
                continue;
            }
            var dash = item.IndexOf('-', StringComparison.Ordinal);
            var first = ParseProcessor(dash < 0 ? item : item[..dash], value);
            var last = dash < 0 ? first : ParseProcessor(item[(dash + 1)..], value);
            ThrowIf(last < first, $"-a{value}: the range {item} ends before it begins");
            hasRange |= dash >= 0;
            for (var processor = first; processor <= last; processor++)
                Processors.Add(DiskSpdProcessorLists.GetNumber(group, processor));
        }
        ThrowIf(
            !hasProcessor,
            $"-a{value}: a CPU must follow the last group. To use a whole group, specify it in a separate option, such as -ag1"
        );
        // Only version 2.3 has ranges.
        if (hasRange)
            output.Version23 ??= new DiskSpd23Options();
    }

    private static int ParseGroup(string item, string value)
    {
        var group = ParseIndex(item.AsSpan(1), value);
        ThrowIf(group > MaxGroup, $"-a{value}: group {group} is above {MaxGroup}, the maximum in Windows");
        return group;
    }

    private static int ParseProcessor(string item, string value)
    {
        var processor = ParseIndex(item, value);
        ThrowIf(
            processor >= DiskSpdProcessorLists.MaxPerGroup,
            $"-a{value}: CPU {processor} is out of range. A group has CPUs 0 to {DiskSpdProcessorLists.MaxPerGroup - 1}"
        );
        return processor;
    }

    private static int ParseIndex(ReadOnlySpan<char> text, string value)
    {
        var number = ParseNumber(text, out var isPlain);
        return isPlain && number >= 0
            ? number
            : throw CreateInvalidError(
                $"-a{value}: specify CPUs as numbers or ranges, separated by commas, and groups with g: -a0,1, -a0-3, or -ag0,0,1,g1,0,1."
            );
    }
}

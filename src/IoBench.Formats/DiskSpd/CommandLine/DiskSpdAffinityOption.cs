using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>The value of -a: <c>0,1</c>, <c>g0,0,1,g1,0,1</c>, and from 2.3 ranges, groups (<c>g1</c>), and orders (<c>up</c>).</summary>
internal sealed class DiskSpdAffinityOption
{
    private const int MaxGroup = 63;
    private bool _hasOrder;
    private bool _isUnordered;

    internal List<int> Processors { get; } = [];

    internal bool IsGiven { get; private set; }

    internal void ParseValue(string value, DiskSpd23Options options, Action uses23)
    {
        if (value is "" or "g")
            return;
        IsGiven = true;
        if (value[0] == 'u')
            ParseUnordered(value, options);
        else if (char.IsAsciiLetter(value[0]) && value[0] != 'g')
            ParseOrder(value, options);
        else if (value[0] == 'g' && !value.Contains(',', StringComparison.Ordinal))
            options.WholeGroups |= 1UL << ParseGroup(value, value);
        else
        {
            if (ParseList(value))
                uses23();
            return;
        }
        uses23();
    }

    private void ParseUnordered(string value, DiskSpd23Options options)
    {
        if (value != "up")
            throw DiskSpdArguments.CreateInvalidError($"-a{value}: only p can follow -au (CPUs in the order of their numbers).");
        if (_hasOrder || _isUnordered)
            throw DiskSpdArguments.CreateInvalidError("-aup conflicts with another order of CPUs (-ap, -aP, -ae, -aE, -aup).");
        _isUnordered = true;
        options.CoreOrder = DiskSpdCoreOrder.Unordered;
    }

    private void ParseOrder(string value, DiskSpd23Options options)
    {
        foreach (var letter in value)
        {
            switch (letter)
            {
                case 'c':
                    options.IsCoreAware = true;
                    break;
                case 's':
                    options.SpansGroups = true;
                    break;
                case 'p':
                    SetOrder(value, DiskSpdCoreOrder.PFirst, options);
                    break;
                case 'P':
                    SetOrder(value, DiskSpdCoreOrder.FillPFirst, options);
                    break;
                case 'e':
                    SetOrder(value, DiskSpdCoreOrder.EFirst, options);
                    break;
                case 'E':
                    SetOrder(value, DiskSpdCoreOrder.FillEFirst, options);
                    break;
                default:
                    throw DiskSpdArguments.CreateInvalidError(
                        $"-a{value}: '{letter}' is not one of c, s, p, P, e, and E, which select the order of the CPUs."
                    );
            }
        }
    }

    private void SetOrder(string value, DiskSpdCoreOrder order, DiskSpd23Options options)
    {
        if (_hasOrder || _isUnordered)
            throw DiskSpdArguments.CreateInvalidError($"-a{value}: specify the order of P-cores and E-cores (p, P, e, E, -aup) only once.");
        _hasOrder = true;
        options.CoreOrder = order;
    }

    private bool ParseList(string value)
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
            if (last < first)
                throw DiskSpdArguments.CreateInvalidError($"-a{value}: the range {item} ends before it begins.");
            hasRange |= dash >= 0;
            for (var processor = first; processor <= last; processor++)
                Processors.Add(DiskSpdProcessorLists.GetNumber(group, processor));
        }
        return hasProcessor
            ? hasRange
            : throw DiskSpdArguments.CreateInvalidError(
                $"-a{value}: a CPU must follow the last group. A whole group is a separate option, such as -ag1."
            );
    }

    private static int ParseGroup(string item, string value)
    {
        var number = DiskSpdArguments.ParseNumber(item.AsSpan(1), out var isPlain);
        if (!isPlain || number < 0)
            throw CreateListError(value);
        return number <= MaxGroup
            ? number
            : throw DiskSpdArguments.CreateInvalidError($"-a{value}: group {number} is above {MaxGroup}, the maximum of Windows.");
    }

    private static int ParseProcessor(string item, string value)
    {
        var number = DiskSpdArguments.ParseNumber(item, out var isPlain);
        if (!isPlain || number < 0)
            throw CreateListError(value);
        return number < DiskSpdProcessorLists.MaxPerGroup
            ? number
            : throw DiskSpdArguments.CreateInvalidError(
                $"-a{value}: CPU {number} is out of range. A group has CPUs 0 to {DiskSpdProcessorLists.MaxPerGroup - 1}."
            );
    }

    private static IoBenchException CreateListError(string value) =>
        DiskSpdArguments.CreateInvalidError(
            $"-a{value}: specify CPUs as numbers or ranges with commas, and groups with g: -a0,1, -a0-3, or -ag0,0,1,g1,0,1."
        );
}

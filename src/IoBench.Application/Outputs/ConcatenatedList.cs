using System.Collections;

namespace IoBench.Application;

/// <summary>Concatenates lists without copying them, because a list can read its items on demand.</summary>
internal sealed class ConcatenatedList<T> : IReadOnlyList<T>
{
    private readonly List<IReadOnlyList<T>> _lists = [];

    public int Count { get; private set; }

    public T this[int index]
    {
        get
        {
            foreach (var list in _lists)
            {
                if (index < list.Count)
                    return list[index];
                index -= list.Count;
            }
            throw new ArgumentOutOfRangeException(nameof(index));
        }
    }

    public void Add(IReadOnlyList<T> list)
    {
        _lists.Add(list);
        Count += list.Count;
    }

    public IEnumerator<T> GetEnumerator() => _lists.SelectMany(list => list).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

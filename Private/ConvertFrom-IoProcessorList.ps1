function ConvertFrom-IoProcessorList {
    <# Processor numbers from 0-3,8. #>
    [CmdletBinding()]
    [OutputType([int])]
    param(
        [Parameter(Mandatory)]
        [string] $Text
    )

    foreach ($part in $Text -split ',') {
        if ($part -notmatch '^\s*(?<from>\d{1,4})(-(?<to>\d{1,4}))?\s*$') {
            throw [IoBench.Engine.IoBenchException]::Usage('IoBench.InvalidAffinity', "'$Text' is not a list of processors. Write Off, RoundRobin or numbers such as 0-3,8.", $Text)
        }
        $from = [int]$Matches.from
        $to = $Matches.ContainsKey('to') ? [int]$Matches.to : $from
        $from..$to
    }
}

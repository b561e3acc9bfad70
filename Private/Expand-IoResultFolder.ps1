function Expand-IoResultFolder {
    <# Files to read: a file is itself, a folder the result files in it. #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [AllowEmptyCollection()]
        [string[]] $Path,

        [switch] $Recurse,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($item in $Path) {
        if (-not [System.IO.Directory]::Exists($item)) {
            $item
            continue
        }
        try {
            [string[]][IoBench.Formats.ResultReader]::FindFiles($item, $Recurse)
        } catch {
            $Cmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $_ -TargetObject $item))
        }
    }
}
